// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/event_counters.h"

#include "core/trace/importers/trace_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace pw {

namespace {

constexpr std::size_t mostSeries = 10'000;
constexpr std::int64_t mostSamples = 8'000'000;

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

/// Percents become parts of 1, and units bytes.
void normalise(TraceCounter& counter)
{
    std::stable_sort(
        counter.samples.begin(), counter.samples.end(),
        [](const CounterSample& a, const CounterSample& b) { return a.time < b.time; });
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

void EventCounters::add(std::int32_t process, const std::string& name, Ticks time, double value)
{
    const auto found =
        m_places.try_emplace(std::to_string(process) + " " + name, m_counters.size());
    if (found.second) {
        if (m_counters.size() >= mostSeries) {
            m_places.erase(found.first);
            ++m_leftOut;
            return;
        }
        TraceCounter counter;
        counter.rank = process;
        counter.name = cleanText(name);
        counter.kind = counterKind(name);
        const std::string lowered = loweredName(name);
        counter.device = containsAny(lowered, {"gpu", "cuda", "device", "sm ", "hbm", "vram"});
        counter.reserved = lowered.find("reserved") != std::string::npos;
        m_counters.push_back(std::move(counter));
    }
    if (m_samples >= mostSamples || !std::isfinite(value)) {
        ++m_leftOut;
        return;
    }
    ++m_samples;
    m_counters[found.first->second].samples.push_back({time, value});
}

void EventCounters::take(const ChromeEvent& event, std::optional<Ticks> time, std::int32_t process)
{
    if (!time) {
        ++m_leftOut;
        return;
    }
    for (const NamedNumber& one : event.numbers) {
        const bool alone = event.numbers.size() == 1 || one.name == event.name;
        add(process, alone ? event.name : event.name + " " + one.name, *time, one.value);
    }
}

void EventCounters::takeMemory(const ChromeEvent& event, std::optional<Ticks> time,
                               std::int32_t process)
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
        // The host's allocator tells no sums.
        if (const double bytes = numberOf(event, key, -1); bytes > 0 || (bytes == 0 && !host))
            add(process, name + where, *time, bytes);
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
    std::map<std::int32_t, std::pair<double, double>> most; // by process: in use, reserved
    for (TraceCounter& counter : m_counters) {
        normalise(counter);
        if (counter.kind != CounterKind::Memory || !counter.device)
            continue;
        auto& [used, reserved] = most[counter.rank];
        for (const CounterSample& sample : counter.samples)
            (counter.reserved ? reserved : used) =
                std::max(counter.reserved ? reserved : used, sample.value);
    }
    for (const auto& [process, peaks] : most) {
        const double bytes = peaks.first > 0 ? peaks.first : peaks.second;
        constexpr double furthest = 1e18;
        if (bytes > 0 && bytes < furthest)
            file.peaks.push_back({process, -1, static_cast<Bytes>(bytes)});
    }
    file.counters = std::move(m_counters);
}

} // namespace pw
