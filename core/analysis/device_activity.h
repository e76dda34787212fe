// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/collectives.h"
#include "core/analysis/work_gaps.h"
#include "core/base/types.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pw {

/// Where the time of one device of a rank went, from its first activity to its last. Activities are
/// kernels, copies and fills; annotations are none. Times during which several run count once.
struct DeviceActivity
{
    TraceRankId rank{0};            ///< of `Trace::ranks`
    std::int32_t deviceNumber = -1; ///< −1: not told
    std::int64_t activities = 0;    ///< that count
    std::int64_t leftOut = 0;       ///< of the last step, or without a launch; see `deviceFigures`
    std::int32_t streams = 0;
    Ticks first = 0;
    Ticks last = 0;
    Ticks compute = 0; ///< with at least one such activity
    Ticks communication = 0;
    Ticks memory = 0;
    Ticks computeOnly = 0; ///< with nothing of another kind
    Ticks communicationOnly = 0;
    Ticks memoryOnly = 0;
    Ticks overlap = 0; ///< compute and communication both
    IdleTime idle;
    Ticks peer = 0;         ///< of communication: before the last rank of it had begun too
    bool peerKnown = false; ///< the other ranks are in the trace
    double queueMean = 0;   ///< activities launched and not begun, over the span
    std::int64_t queueMost = 0;
    Ticks queuedMedian = 0; ///< from the start of a launch to that of its activity

    Ticks span() const { return last - first; }
    /// Part of the communication that is under compute; 0 where there is none.
    double hidden() const
    {
        return communication > 0 ? static_cast<double>(overlap) / static_cast<double>(communication)
                                 : 0;
    }
    friend bool operator==(const DeviceActivity&, const DeviceActivity&) = default;
};

/// Activities of one name on one rank.
struct KernelTimes
{
    TraceRankId rank{0};   ///< of `Trace::ranks`
    std::int32_t name = 0; ///< of `Trace::names`
    ActivityKind kind = ActivityKind::Compute;
    std::int64_t count = 0;
    Ticks total = 0;
    Ticks median = 0; ///< the lower one of two

    friend bool operator==(const KernelTimes&, const KernelTimes&) = default;
};

/// The rank that the others wait for.
struct SlowRank
{
    TraceRankId rank{0};  ///< of `Trace::ranks`
    std::string evidence; ///< a sentence
};

/// What the devices of a trace did.
struct DeviceFigures
{
    std::vector<DeviceActivity> devices; ///< by rank and number; without activities: none
    std::vector<KernelTimes> kernels;    ///< by rank, the longest in sum first
    TraceCollectives collectives;        ///< where several ranks are in the trace
    std::optional<SlowRank> slow;
    std::vector<std::string> notes; ///< what was left out or cannot be told; sentences
};

/// Sums up the activities of all devices.
///
/// Where the trace has several steps of PyTorch's profiler, what was launched before the last of
/// them began counts, as for HolisticTraceAnalysis: the last step is cut off somewhere, and work
/// whose launch is not in the file is of a step before.
///
/// @param whole  everything counts
/// @source       the kinds of time are those of HolisticTraceAnalysis ("temporal breakdown",
///               "communication computation overlap"), times as recorded instead of whole µs;
///               which kernels communicate and the split of idle time are own
/// @complexity   O(n log n); memory 20 bytes for each activity of a device while it is summed up
DeviceFigures deviceFigures(const Trace& trace, bool whole = false);

} // namespace pw
