// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/event_counters.h"

#include "core/reading/events/trace_names.h"
#include "core/trace/trace_memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace pw {

namespace {

constexpr std::size_t mostSeries = 10'000;

std::string loweredName(std::string_view name)
{
    std::string lowered(name);
    std::transform(lowered.begin(), lowered.end(), lowered.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lowered;
}

bool containsAny(const std::string& text, std::initializer_list<std::string_view> parts)
{
    return std::any_of(parts.begin(), parts.end(), [&text](std::string_view part) {
        return text.find(part) != std::string::npos;
    });
}

/// The unit that a name of memory says, in bytes.
double unitOf(const std::string& lowered)
{
    struct Unit
    {
        std::string_view text;
        double bytes;
    };
    constexpr std::array<Unit, 9> units = {{{"kib", 1024.0},
                                            {"mib", 1048576.0},
                                            {"gib", 1073741824.0},
                                            {"(kb", 1e3},
                                            {"(mb", 1e6},
                                            {"(gb", 1e9},
                                            {"_kb", 1e3},
                                            {"_mb", 1e6},
                                            {"_gb", 1e9}}};
    for (const Unit& unit : units)
        if (lowered.find(unit.text) != std::string::npos)
            return unit.bytes;
    return 1;
}

double numberOf(const ChromeEvent& event, std::string_view name, double otherwise)
{
    for (const NamedNumber& one : event.numbers)
        if (one.name == name)
            return one.value;
    return otherwise;
}

double highestIn(const TraceCounter& counter)
{
    double most = 0;
    for (const CounterSample& sample : counter.samples)
        most = std::max(most, sample.value);
    return most;
}

/// Changes become what is in use, from what makes the least 0: what was there before is not told.
void sumUpChanges(TraceCounter& counter)
{
    double now = 0, least = 0;
    for (CounterSample& sample : counter.samples) {
        now += sample.value;
        sample.value = now;
        least = std::min(least, now);
    }
    for (CounterSample& sample : counter.samples)
        sample.value -= least;
}

/// Percents become parts of 1, and units bytes, unless the file has told its unit.
void normalise(TraceCounter& counter, bool told)
{
    std::stable_sort(
        counter.samples.begin(), counter.samples.end(),
        [](const CounterSample& a, const CounterSample& b) { return a.time < b.time; });
    if (told)
        return;
    double factor = 1;
    if (counter.kind == CounterKind::Memory)
        factor = unitOf(loweredName(counter.name));
    if (counter.kind == CounterKind::Part &&
        std::any_of(counter.samples.begin(), counter.samples.end(),
                    [](const CounterSample& sample) { return sample.value > 1; }))
        factor = 0.01;
    for (CounterSample& sample : counter.samples)
        sample.value *= factor;
}

} // namespace

CounterKind counterKind(std::string_view name)
{
    const std::string lowered = loweredName(name);
    if (containsAny(lowered, {"utilization", "utilisation", "efficiency", "occupancy", "percent"}))
        return CounterKind::Part;
    if (containsAny(lowered, {"memory", "allocated", "reserved", "bytes"}) &&
        !containsAny(lowered, {"bandwidth", "/s", "per second", "throughput"}))
        return CounterKind::Memory;
    return CounterKind::Other;
}

std::optional<ToldUnit> toldUnit(std::string_view key)
{
    struct KeyUnit
    {
        std::string_view key;
        ToldUnit told;
    };
    using enum CounterKind;
    // Ascend's profilers (torch_npu, msprof) write KB for 1024 bytes, as Linux does; other prefixes
    // are those of SI, as in names.
    constexpr std::array<KeyUnit, 12> units = {{{"B", {Memory, 1}},
                                                {"bytes", {Memory, 1}},
                                                {"Bytes", {Memory, 1}},
                                                {"KB", {Memory, 1024}},
                                                {"kB", {Memory, 1024}},
                                                {"KiB", {Memory, 1024}},
                                                {"MB", {Memory, 1e6}},
                                                {"MiB", {Memory, 1048576}},
                                                {"GB", {Memory, 1e9}},
                                                {"GiB", {Memory, 1073741824}},
                                                {"TiB", {Memory, 1099511627776}},
                                                {"%", {Part, 0.01}}}};
    for (const KeyUnit& unit : units)
        if (unit.key == key)
            return unit.told;
    return std::nullopt;
}

/// A value whose unit its key says. Bytes that flow, as a bandwidth's, are no memory.
void EventCounters::addInUnit(ProcessId process, const std::string& name, Ticks time, double value,
                              const ToldUnit& unit)
{
    const std::size_t before = m_counters.size();
    add(process, name, time, value * unit.factor, Series::Told);
    if (m_counters.size() == before)
        return;
    const bool flows = containsAny(
        loweredName(name), {"bandwidth", "/s", "per second", "throughput", "read", "write"});
    m_counters.back().kind =
        unit.kind == CounterKind::Memory && flows ? CounterKind::Other : unit.kind;
}

void EventCounters::begin(ProcessId process, const std::string& name, Series series)
{
    TraceCounter counter;
    counter.rank = rankAsYet(process);
    counter.name = cleanText(name);
    counter.kind = counterKind(name);
    const std::string lowered = loweredName(name);
    counter.device = containsAny(lowered, {"gpu", "cuda", "device", "sm ", "hbm", "vram"});
    counter.reserved = lowered.find("reserved") != std::string::npos;
    m_counters.push_back(std::move(counter));
    m_series.push_back(series);
}

void EventCounters::takeSeries(ToldSeries series, ProcessId process)
{
    const auto count = static_cast<std::int64_t>(series.samples.size());
    if (m_counters.size() >= mostSeries || m_samples > mostSamples - count) {
        m_leftOut += count;
        return;
    }
    begin(process, series.name, series.kind ? Series::Told : Series::Counter);
    if (series.kind)
        m_counters.back().kind = *series.kind;
    m_counters.back().samples = std::move(series.samples);
    m_samples += count;
}

void EventCounters::add(ProcessId process, const std::string& name, Ticks time, double value,
                        Series series)
{
    const auto found =
        m_places.try_emplace(std::to_string(process) + " " + name, m_counters.size());
    if (found.second) {
        if (m_counters.size() >= mostSeries) {
            m_places.erase(found.first);
            ++m_leftOut;
            return;
        }
        begin(process, name, series);
    }
    if (m_samples >= mostSamples || !std::isfinite(value)) {
        ++m_leftOut;
        return;
    }
    ++m_samples;
    m_counters[found.first->second].samples.push_back({time, value});
}

void EventCounters::take(const ChromeEvent& event, std::optional<Ticks> time, ProcessId process)
{
    if (!time) {
        ++m_leftOut;
        return;
    }
    for (const NamedNumber& one : event.numbers) {
        const bool alone = event.numbers.size() == 1 || one.name == event.name;
        const std::string name = alone ? event.name : event.name + " " + one.name;
        if (const std::optional<ToldUnit> unit = toldUnit(one.name))
            addInUnit(process, name, *time, one.value, *unit);
        else
            add(process, name, *time, one.value, Series::Counter);
    }
}

void EventCounters::takeMemory(const ChromeEvent& event, std::optional<Ticks> time,
                               ProcessId process)
{
    if (!time) {
        ++m_leftOut;
        return;
    }
    // As c10 numbers its kinds of devices: 0 is the host.
    const bool host = numberOf(event, "Device Type", 1) == 0;
    const auto device = static_cast<int>(std::clamp(numberOf(event, "Device Id", 0), -1.0, 1e6));
    const std::string where = host ? ", host" : ", GPU " + std::to_string(std::max(device, 0));
    for (const auto& [key, name] :
         {std::pair("Total Allocated", "allocated"), std::pair("Total Reserved", "reserved")})
        if (const double bytes = numberOf(event, key, -1); bytes >= 0)
            add(process, name + where, *time, bytes, Series::Sum);
    if (const double change = numberOf(event, "Bytes", 0); change != 0)
        add(process, "allocated since the beginning" + where, *time, change, Series::Changes);
}

/// Changes count where the allocator tells no sums: some tell 0 in their place. What is always 0
/// says nothing.
void EventCounters::settleMarks()
{
    const auto isTold = [this](const TraceCounter& changes) {
        for (std::size_t i = 0; i < m_counters.size(); ++i)
            if (m_series[i] == Series::Sum && m_counters[i].rank == changes.rank &&
                m_counters[i].device == changes.device && !m_counters[i].reserved &&
                highestIn(m_counters[i]) > 0)
                return true;
        return false;
    };
    std::vector<bool> kept(m_counters.size(), true);
    for (std::size_t i = 0; i < m_counters.size(); ++i) {
        if (m_series[i] == Series::Sum)
            kept[i] = highestIn(m_counters[i]) > 0;
        else if (m_series[i] == Series::Changes && isTold(m_counters[i]))
            kept[i] = false;
        else if (m_series[i] == Series::Changes)
            sumUpChanges(m_counters[i]);
    }
    std::vector<TraceCounter> left;
    for (std::size_t i = 0; i < m_counters.size(); ++i)
        if (kept[i])
            left.push_back(std::move(m_counters[i]));
    m_counters = std::move(left);
}

void EventCounters::finish(Trace& trace, EventFile& file)
{
    if (m_leftOut > 0) {
        trace.leftOut += m_leftOut;
        trace.warnings.push_back(trace.files.back() + ": " + std::to_string(m_leftOut) +
                                 " values of counters have no time, are not numbers, or are beyond "
                                 "the " +
                                 std::to_string(mostSamples) + " that are read; left out");
    }
    for (std::size_t i = 0; i < m_counters.size(); ++i)
        normalise(m_counters[i], m_series[i] == Series::Told);
    settleMarks();
    std::set<TraceRankId> processes;
    for (const TraceCounter& counter : m_counters)
        processes.insert(counter.rank);
    constexpr double furthest = 1e18;
    for (const TraceRankId process : processes)
        if (const std::int32_t found = memoryCounter(m_counters, process); found >= 0)
            if (const double bytes = highestIn(m_counters[static_cast<std::size_t>(found)]);
                bytes < furthest)
                file.peaks.push_back({process, -1, static_cast<Bytes>(bytes)});
    file.counters = std::move(m_counters);
}

} // namespace pw
