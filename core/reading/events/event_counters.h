// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/chrome_event.h"
#include "core/reading/events/event_file.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pw {

/// A series of values whose file says what they are.
struct ToldSeries
{
    std::string name;
    std::optional<CounterKind> kind; ///< of values in its unit; none: the name says kind and unit
    std::vector<CounterSample> samples;
};

/// What a key of a counter's arguments says where it is a unit, as "KB" and "%" are.
struct ToldUnit
{
    CounterKind kind = CounterKind::Memory;
    double factor = 1; ///< to bytes, or to parts of 1
};

/// The unit that a key is; none where it is a name.
std::optional<ToldUnit> toldUnit(std::string_view key);

/// Makes series of the counters of one file (phase C), and of the marks that PyTorch's profiler
/// leaves at every allocation ("[memory]").
class EventCounters
{
public:
    static constexpr std::string_view memoryEvent = "[memory]";
    static constexpr std::int64_t mostSamples = 8'000'000; ///< of one file

    /// A counter: each number of its arguments is a series.
    /// @param time  of the event; without one its values are left out
    void take(const ChromeEvent& event, std::optional<Ticks> time, ProcessId process);
    /// An allocation: what is allocated and reserved in all, of the device that it names, or what
    /// it changes where its allocator tells no sums.
    void takeMemory(const ChromeEvent& event, std::optional<Ticks> time, ProcessId process);

    /// A whole series; another one of the same name stands beside it.
    void takeSeries(ToldSeries series, ProcessId process);

    /// After the last event: hands the series over, sorted by time, and the most memory of each
    /// process by the counter that says most of it (`memoryCounter`).
    void finish(Trace& trace, EventFile& file);

private:
    /// What a series is made of.
    enum class Series : std::uint8_t
    {
        Counter,
        Told,   ///< in the unit of its kind already
        Sum,    ///< that an allocator tells
        Changes ///< single allocations, to be summed up
    };

    void add(ProcessId process, const std::string& name, Ticks time, double value, Series series);
    void addInUnit(ProcessId process, const std::string& name, Ticks time, double value,
                   const ToldUnit& unit);
    void begin(ProcessId process, const std::string& name, Series series);
    void settleMarks();

    std::unordered_map<std::string, std::size_t> m_places; // of a process and a name
    std::vector<TraceCounter> m_counters;
    std::vector<Series> m_series; // of each counter
    std::int64_t m_samples = 0;
    std::int64_t m_leftOut = 0;
};

/// What a counter of a name counts.
CounterKind counterKind(std::string_view name);

} // namespace pw
