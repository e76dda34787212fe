// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/schedule.h"
#include "core/trace/records.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What ran on GPUs while passes did: from records that come in any order to the part of a pass in
// which the GPU computes. Knows nothing of the library that the records come from.
namespace pw::exec {

/// An entry of the schedule while which was watched what it launches.
struct WatchedPass
{
    RankId rank{0};
    std::int32_t iteration = 0;
    OrderEntry entry;
};

/// One thing that ran on a device: a kernel, or a fill of its memory or a copy within it.
struct DeviceWork
{
    std::uint32_t correlation = 0; ///< of the call that launched it
    Ticks start = 0;               ///< on a clock of its own; 0 with the end: not known
    Ticks end = 0;
    std::int32_t name = -1; ///< of a kernel; −1: a fill or a copy
};

/// A call that was made within a watched pass.
struct LaunchLink
{
    std::uint32_t correlation = 0; ///< of the call
    std::size_t pass = 0;          ///< of `KernelRecords::passes`
};

/// What was heard in a run, in any order; a call may be told of more than once.
struct KernelRecords
{
    std::vector<WatchedPass> passes;
    std::vector<DeviceWork> works;
    std::vector<LaunchLink> links;
    std::vector<std::string> names; ///< of kernels, as the compiler writes them
    std::int64_t lost = 0;          ///< records that there was no room for
};

/// What a watched pass had the device do.
struct PassKernels
{
    WatchedPass pass;
    std::int64_t kernels = 0;
    Ticks busy = 0; ///< in which at least one of its works ran
};

/// Kernels of a name, in all passes.
struct KernelTotal
{
    std::string name; ///< for people, see `kernelName`
    std::int64_t count = 0;
    Ticks time = 0; ///< sum of their times
};

/// The records of a run, added up.
struct KernelCount
{
    std::vector<PassKernels> passes; ///< those that launched something, in the order of the records
    std::vector<KernelTotal> names;  ///< the most time first
    std::int64_t beside = 0;         ///< works that no watched pass has launched
    /// Records that there was no room for, or that have no times.
    std::int64_t lost = 0;
};

/// Adds records up by pass and by name.
/// @complexity O(n log n) for n records
KernelCount countKernels(const KernelRecords& records);

/// A kernel's name for people: demangled, without result, arguments and namespaces, at most
/// `longest` bytes with its template's arguments. A name that no compiler has written stays.
std::string kernelName(std::string_view symbol, std::size_t longest = 60);

/// Passes of one kind on one segment of a stage: how far the device is busy with them.
struct KernelShare
{
    PassKind kind = PassKind::F;
    bool paired = false; ///< an overlapped pair, told by its F
    StageId stage{0};
    int segment = 0;
    std::int64_t passes = 0;  ///< watched
    std::int64_t kernels = 0; ///< of a pass, median
    Ticks busy = 0;           ///< of a pass, median
    Ticks ordinary = 0;       ///< what the pass takes when nobody watches, median
    Ticks watched = 0;        ///< and what it took while its kernels were told, median

    /// The busy share: `busy` of `ordinary`, at most 1; and at least `busy` of `watched`, since who
    /// watches makes a pass longer and not what it waits for shorter.
    double share() const;
};

/// Busy shares, by stage, segment and kind. Passes that did not run when nobody watched have none.
/// @param ordinary  of counted iterations without anybody who watches
/// @param watched   of the run that the kernels were counted in
std::vector<KernelShare> kernelShares(const Schedule& schedule, const KernelCount& count,
                                      std::span<const RecordedPass> ordinary,
                                      std::span<const RecordedPass> watched);

/// "F of stage 0", "F+BW of stage 2, segment 1".
std::string nameOf(const KernelShare& share, const PipelineSpec& spec);

/// Who limits the passes, the GPU or the host that launches: a sentence or two; empty without
/// shares.
std::string limitText(std::span<const KernelShare> shares, const PipelineSpec& spec);

} // namespace pw::exec
