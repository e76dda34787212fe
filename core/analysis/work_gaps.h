// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace pw {

// The one rule of what idle time between the activities of a device is for.

/// Why nothing ran on a device. The parts sum to the idle time.
struct IdleTime
{
    Ticks host = 0;    ///< nothing that had been launched was waiting: the host is late
    Ticks stream = 0;  ///< the next work was launched before the last one ended, which was on
                       ///< another stream: one stream waits for the other
    Ticks launch = 0;  ///< the next work was launched and had only to begin: the gap of a launch
    Ticks unknown = 0; ///< the launch of the next work is not in the trace

    Ticks total() const { return host + stream + launch + unknown; }
    IdleTime& operator+=(const IdleTime& more);
    friend bool operator==(const IdleTime&, const IdleTime&) = default;
};

/// When an activity was launched that nobody saw launched.
constexpr Ticks unlaunched = std::numeric_limits<Ticks>::max();

/// When the call began that launched an activity; `unlaunched`: not in the trace.
constexpr Ticks launchedAt(const TraceSpan& span)
{
    return span.queued < 0 ? unlaunched : span.start - span.queued;
}

/// A device of a rank that did something.
struct WorkDevice
{
    TraceRankId rank{0};      ///< of `Trace::ranks`
    std::int32_t number = -1; ///< −1: not told
    std::string process;      ///< as the file names it

    friend bool operator==(const WorkDevice&, const WorkDevice&) = default;
};

/// The devices of a trace with activities, by rank, number and process.
struct WorkDevices
{
    std::vector<WorkDevice> devices;
    std::vector<std::int32_t> ofTrack; ///< by track, of `devices`; −1: it has no activities
};

WorkDevices workDevices(const Trace& trace);

/// Sorts activities as the rule takes them: by start, the one that ends first before others.
void sortWork(const Trace& trace, std::vector<std::int32_t>& work);
/// Sorts them by end, those that end together as `sortWork` does.
void sortByEnd(const Trace& trace, std::vector<std::int32_t>& work);

/// A stretch without activity, by the spans that tell it.
struct WorkGap
{
    std::int32_t previous = 0; ///< ended last, at the start
    std::int32_t next = 0;     ///< begins at the end
    std::int32_t last = 0;     ///< of the device, ended last before the next began: `previous`, or
                               ///< on another stream that ran in the gap
    std::int32_t first = 0;    ///< of the next one and all behind it, launched first
};

/// The stretches between activities in which none runs, in time order.
/// @param work  in order, as of `sortWork`
std::vector<WorkGap> workGaps(const Trace& trace, std::span<const std::int32_t> work);

/// Likewise of one stream of a device.
/// @param device  all the activities of the device, as of `sortByEnd`
std::vector<WorkGap> workGaps(const Trace& trace, std::span<const std::int32_t> work,
                              std::span<const std::int32_t> device);

/// What a gap is for: until anything is launched the host is late; then the next activity waits for
/// what ended last on another stream, if it was launched before that; else the launch takes its
/// time.
IdleTime partsOf(const Trace& trace, const WorkGap& gap);

} // namespace pw
