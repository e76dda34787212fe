// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/reading/events/event_file.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace pw {

// How device activity belongs to the ranges of the host in which it was launched.

/// What a row of the device is for a range around its launch.
enum class DeviceWork : std::uint8_t
{
    Compute,
    Message, ///< a kernel that sends or receives
    Copy
};

/// Where the host launched something.
struct LaunchPlace
{
    std::int32_t track = -1;
    Ticks time = 0;
};

/// A row of the device. Correlation ids are unique only inside a process, so both make the key.
struct LaunchedWork
{
    std::uint64_t key = 0; ///< process in the upper half, correlation id in the lower
    Ticks launched = 0;
    std::int32_t span = -1;
    std::int32_t thread = -1; ///< that launched it; −1: its launch is not in the file
    std::int32_t range = -1;  ///< that it belongs to unless its own thread has one; −1: not known
    DeviceWork work = DeviceWork::Compute;

    std::int32_t process() const { return static_cast<std::int32_t>(key >> 32U); }
};

/// @pre process ≥ 0, 0 ≤ correlation < 2^32
constexpr std::uint64_t launchKey(std::int32_t process, std::int64_t correlation)
{
    return (static_cast<std::uint64_t>(process) << 32U) | static_cast<std::uint64_t>(correlation);
}

/// From the first start to the last end of what was launched in a range.
struct Extent
{
    Ticks first = 0;
    Ticks last = -1;

    bool any() const { return last >= first; }
    void take(Ticks start, Ticks end);
};

/// A range with a label, or an iteration.
struct LabelledRange
{
    Ticks start = 0;
    Ticks end = 0;
    std::int32_t span = -1;
    std::int32_t process = -1;
    std::int32_t thread = -1;
    std::int32_t name = -1;
    std::int32_t iteration = -1; ///< said by its name, or by the iteration around it
    std::int32_t segment = -1;
    SpanRole role = SpanRole::Other;
    Extent compute; ///< kernels that are not messages
    Extent message; ///< sends, receives and copies
    /// Kernels of collectives by their stream, which `joinLaunches` settles.
    std::vector<std::pair<std::int32_t, Extent>> collectives{};

    /// What its time on the device is: a pass is what it computes, a message what it moves.
    const Extent& extent() const;
};

/// Tells work of the launches that it has. Those mostly come in the order of their keys, and the
/// next is looked for where the last one was.
class LaunchNotes
{
public:
    /// Sorts the work by key. @param work  outlives this
    explicit LaunchNotes(std::vector<LaunchedWork>& work);

    /// The work that `key` launched gets its thread and time.
    void note(std::uint64_t key, std::int32_t thread, Ticks time);

private:
    std::vector<LaunchedWork>& m_work;
    std::size_t m_next = 0; ///< behind the last that was found
};

/// Ranges within an iteration of their thread get its number, where they have none. Sorts the
/// ranges by process and start.
void numberIterations(std::vector<LabelledRange>& ranges);

/// Gives every range what was launched in it. Sorts the work by process and launch.
///
/// A collective at an end of a pass is part of it where most passes of the kind on its thread have
/// one there on that stream, as tensor parallelism does: each process group has a stream. What one
/// pass alone has is the step's: the gradients' sum is launched in the last backward, and waits
/// there for other replicas.
///
/// @param trace          its spans have the rank of their process, see `rankAsYet`
/// @param ranges         sorted by process and start
/// @param ownerOfThread  none: any
/// @param goOn           asked now and then; may be empty
/// @return               work that several threads' ranges could have launched and that belongs to
///                       none therefore; −1: stopped
std::int64_t joinLaunches(const Trace& trace, std::vector<LaunchedWork>& work,
                          std::vector<LabelledRange>& ranges,
                          const std::vector<ProcessId>& ownerOfThread,
                          const std::function<bool()>& goOn);

} // namespace pw
