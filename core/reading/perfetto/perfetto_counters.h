// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/reading/perfetto/perfetto_tracks.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pw {

class EventSpans;

/// The values of the counter tracks of one trace of Perfetto's, while it is read.
class PerfettoCounters
{
public:
    /// A value as an event tells it.
    struct Value
    {
        std::uint64_t track = 0;
        std::optional<Ticks> time; ///< without one it is left out
        double value = 0;          ///< of an incremental counter: beyond the one before
        std::uint64_t cleared = 0; ///< how often the writer began anew, and such counters at 0
    };

    /// @param described  the counter's track; null where nothing has described it yet
    /// @param name       of the event, for a track without a name
    void take(const Value& value, const PerfettoTrack* described, const std::string& name);

    /// After the last event: hands over every series in the unit of its descriptor.
    /// @return  values without a time, or that are no numbers, or too many
    std::int64_t finish(const PerfettoTracks& tracks, EventSpans& spans);

private:
    struct Series
    {
        std::string name;
        double now = 0;
        std::uint64_t cleared = 0;
        std::vector<CounterSample> samples;
    };

    std::unordered_map<std::uint64_t, Series> m_series; // by track
    std::vector<std::uint64_t> m_order;                 // of the tracks, as they came
    std::int64_t m_samples = 0;
    std::int64_t m_leftOut = 0;
};

} // namespace pw
