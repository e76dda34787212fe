// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/perfetto/perfetto_counters.h"

#include "core/reading/chrome/event_spans.h"
#include "core/reading/events/event_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace pw {

namespace {

constexpr std::size_t mostPerfettoSeries = 10'000;

/// What the values of a counter are in, and what they are multiplied by to be in it.
struct PerfettoUnit
{
    std::optional<CounterKind> kind; ///< none: the name has to say
    double factor = 1;
    std::string shown; ///< behind the name; empty: nothing to say
};

std::string loweredUnit(std::string_view text)
{
    std::string lowered(text);
    std::transform(lowered.begin(), lowered.end(), lowered.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lowered;
}

/// Bytes that have moved are none that are in use.
bool countsTraffic(const std::string& lowered)
{
    constexpr std::array<std::string_view, 9> words = {"sent",    "receiv",     "transfer",
                                                       "traffic", "throughput", "bandwidth",
                                                       "/s",      "per sec",    "copied"};
    return std::any_of(words.begin(), words.end(), [&lowered](std::string_view word) {
        return lowered.find(word) != std::string::npos;
    });
}

PerfettoUnit bytesOf(const std::string& name, double factor)
{
    if (countsTraffic(loweredUnit(name)))
        return {CounterKind::Other, factor, "bytes"};
    return {CounterKind::Memory, factor, {}};
}

PerfettoUnit namedUnit(const std::string& name, const std::string& unit)
{
    struct ByteUnit
    {
        std::string_view text;
        double bytes;
    };
    constexpr std::array<ByteUnit, 9> byteUnits = {{{"b", 1},
                                                    {"byte", 1},
                                                    {"bytes", 1},
                                                    {"kb", 1e3},
                                                    {"mb", 1e6},
                                                    {"gb", 1e9},
                                                    {"kib", 1024.0},
                                                    {"mib", 1048576.0},
                                                    {"gib", 1073741824.0}}};
    const std::string lowered = loweredUnit(unit);
    for (const ByteUnit& one : byteUnits)
        if (lowered == one.text)
            return bytesOf(name, one.bytes);
    constexpr double hundredth = 0.01;
    if (lowered == "%" || lowered == "percent")
        return {CounterKind::Part, hundredth, {}};
    return {CounterKind::Other, 1, unit};
}

PerfettoUnit unitOfTrack(const PerfettoTrack* track, const std::string& name)
{
    if (track == nullptr || !track->counter)
        return {};
    const PerfettoCounter& told = *track->counter;
    constexpr std::uint64_t nanoseconds = 1, count = 2, bytes = 3;
    constexpr double milliseconds = 1e-6;
    PerfettoUnit unit;
    if (!told.unitName.empty())
        unit = namedUnit(name, told.unitName);
    else if (told.unit == nanoseconds || told.type == PerfettoCounter::threadTime)
        unit = {CounterKind::Other, milliseconds, "ms"};
    else if (told.unit == bytes)
        unit = bytesOf(name, 1);
    else if (told.unit == count || told.type == PerfettoCounter::instructions)
        unit = {CounterKind::Other, 1, {}};
    unit.factor *= static_cast<double>(told.multiplier);
    return unit;
}

/// As its track is called, and the thread that it is of.
std::string nameOfTrack(const PerfettoTracks& tracks, std::uint64_t uuid, const std::string& event)
{
    const PerfettoTrack* track = tracks.find(uuid);
    std::string name = track != nullptr && !track->name.empty() ? track->name : event;
    if (name.empty() && track != nullptr && track->counter)
        name = track->counter->type == PerfettoCounter::threadTime     ? "thread time"
               : track->counter->type == PerfettoCounter::instructions ? "instructions"
                                                                       : "";
    if (name.empty())
        name = "counter " + std::to_string(uuid);
    const PerfettoTrack* thread = tracks.threadOf(uuid);
    return thread == nullptr ? name : name + ", " + thread->thread;
}

} // namespace

void PerfettoCounters::take(const Value& value, const PerfettoTrack* described,
                            const std::string& name)
{
    auto found = m_series.find(value.track);
    if (found == m_series.end() && m_series.size() < mostPerfettoSeries) {
        found = m_series.try_emplace(value.track).first;
        found->second.name = name;
        m_order.push_back(value.track);
    }
    if (found == m_series.end() || !std::isfinite(value.value)) {
        ++m_leftOut;
        return;
    }
    Series& series = found->second;
    double now = value.value;
    if (described != nullptr && described->counter && described->counter->incremental) {
        now += series.cleared == value.cleared ? series.now : 0;
        series.now = now;
        series.cleared = value.cleared;
    }
    if (!value.time || m_samples >= EventCounters::mostSamples) {
        ++m_leftOut;
        return;
    }
    ++m_samples;
    series.samples.push_back({*value.time, now});
}

std::int64_t PerfettoCounters::finish(const PerfettoTracks& tracks, EventSpans& spans)
{
    for (const std::uint64_t uuid : m_order) {
        Series& series = m_series[uuid];
        if (series.samples.empty())
            continue;
        ToldSeries told;
        told.name = nameOfTrack(tracks, uuid, series.name);
        const PerfettoUnit unit = unitOfTrack(tracks.find(uuid), told.name);
        if (!unit.shown.empty())
            told.name += " (" + unit.shown + ")";
        told.kind = unit.kind;
        told.samples = std::move(series.samples);
        for (CounterSample& sample : told.samples)
            sample.value *= unit.factor;
        const PerfettoTrack* process = tracks.processOf(uuid);
        spans.takeSeries(std::move(told), process != nullptr ? process->process : "0");
    }
    return m_leftOut;
}

} // namespace pw
