// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/pass.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What one execution of a schedule leaves behind. Plain records: the executor makes them, the wire
// and the store keep them, timelines draw them.
//
// Times are nanoseconds since the run's time base, one clock for all ranks. An *iteration* is one
// execution of the whole schedule, which may hold several optimizer steps; warm-up iterations have
// numbers below 0.

/// A pass as it happened. An overlapped pair is two records with the same entry.
struct RecordedPass
{
    std::int32_t iteration = 0;
    RankId rank{0};
    EntryId entry; ///< of the schedule; none: an update that does not stand in the order
    Pass pass;
    Ticks start = 0;
    Ticks end = 0;

    friend bool operator==(const RecordedPass&, const RecordedPass&) = default;
};

/// A message as it travelled.
struct RecordedMessage
{
    std::int32_t iteration = 0;
    std::int32_t message = -1; ///< of the program; −1: the reduction of a stage's gradients
    RankId from{0};
    RankId to{0};
    Pass producer; ///< of a reduction: the update that waits for it
    Bytes bytes = 0;
    Ticks posted = 0;  ///< the sender handed it over
    Ticks started = 0; ///< the transfer began: both sides were there
    Ticks ended = 0;   ///< the receiver has it

    friend bool operator==(const RecordedMessage&, const RecordedMessage&) = default;
};

/// A copy of an activation between a device and its host, as it happened.
struct RecordedCopy
{
    std::int32_t iteration = 0;
    RankId rank{0};
    Pass cell;         ///< its F
    bool back = false; ///< from the host; else to it
    Bytes bytes = 0;
    Ticks start = 0;
    Ticks end = 0;

    friend bool operator==(const RecordedCopy&, const RecordedCopy&) = default;
};

/// What measured memory is used for. The first six are those of `MemoryKind`, in its order;
/// messages are among its buffers, workspace is its workspace.
enum class MemoryUse : std::uint8_t
{
    Weights,
    Versions,
    Gradients,
    Optimizer,
    Activations,
    HeldForWeight,
    Messages, ///< results that wait to be sent or used
    Workspace ///< what a pass needs while it runs
};

constexpr int memoryUseCount = 8;

/// The use in words: "weights", "weight versions" … "messages", "workspace".
std::string_view name(MemoryUse use);

/// Bytes in use on a rank from `time` on, by use.
struct MemorySample
{
    std::int32_t iteration = 0;
    RankId rank{0};
    Ticks time = 0;
    std::array<Bytes, memoryUseCount> bytes{};

    Bytes of(MemoryUse use) const { return bytes[static_cast<std::size_t>(use)]; }
    /// Activations and what is held for W: what a schedule decides.
    Bytes activation() const { return of(MemoryUse::Activations) + of(MemoryUse::HeldForWeight); }
    Bytes total() const;

    friend bool operator==(const MemorySample&, const MemorySample&) = default;
};

/// Mean loss over the tokens of one optimizer step, counted over all iterations, warm-up too.
struct StepLoss
{
    std::int32_t step = 0;
    double loss = 0;

    friend bool operator==(const StepLoss&, const StepLoss&) = default;
};

enum class LogLevel : std::uint8_t
{
    Info,
    Warning
};

/// "info", "warning".
std::string_view name(LogLevel level);

/// A sentence about a run: what was picked and why, what could not be had.
struct RunLog
{
    Ticks time = 0;
    RankId rank; ///< none: the run as a whole
    LogLevel level = LogLevel::Info;
    std::string text;

    friend bool operator==(const RunLog&, const RunLog&) = default;
};

/// Why a run ended before its end.
struct RunFault
{
    RankId rank;      ///< that noticed it; none: the run as a whole
    RankId peer;      ///< that was waited for, or none
    std::string pass; ///< label of the pass at hand, or empty
    std::string text; ///< one sentence with rank, pass and peer in it

    friend bool operator==(const RunFault&, const RunFault&) = default;
};

/// A device that ranks ran on.
struct RunDevice
{
    std::string name;
    Bytes memory = 0; ///< 0: not known

    friend bool operator==(const RunDevice&, const RunDevice&) = default;
};

/// Equal ones counted together, and parts of one GPU: "2 × NVIDIA H200", "4 parts of NVIDIA H200".
std::string devicesText(const std::vector<RunDevice>& devices);

/// Where a run happened.
struct RunEnvironment
{
    std::string host;
    std::string backend;            ///< cpu, emulated, cuda
    std::string transport;          ///< in-process, mpi, nccl …
    std::string driver;             ///< versions of driver and libraries, in words
    std::string build;              ///< version of Pipewright and compiler
    std::vector<RunDevice> devices; ///< by rank

    friend bool operator==(const RunEnvironment&, const RunEnvironment&) = default;
};

/// How a run ended.
enum class RunStatus : std::uint8_t
{
    Running, ///< or cut off: whoever finds it without a living writer calls it incomplete
    Finished,
    Stopped, ///< on request
    Failed,
    Incomplete
};

constexpr std::array<RunStatus, 5> allRunStatuses = {RunStatus::Running, RunStatus::Finished,
                                                     RunStatus::Stopped, RunStatus::Failed,
                                                     RunStatus::Incomplete};

/// "running", "finished", "stopped", "failed", "incomplete".
std::string_view name(RunStatus status);

/// Figures of one run, over its counted iterations.
struct RunFigures
{
    int iterations = 0;
    Ticks makespan = 0; ///< of the median iteration (`medianPlace`): last end less first start, U
                        ///< outside the order not counted
    Ticks makespanLow = 0;
    Ticks makespanHigh = 0;
    Ticks predictedMakespan = 0;
    double spanBubble = 0; ///< rate of the device with the longest span, same iteration
    double predictedSpanBubble = 0;
    Bytes peakActivation = 0; ///< the worst rank
    Bytes predictedPeakActivation = 0;
    double firstLoss = 0;
    double lastLoss = 0;
    /// Where nine of ten makespans were expected, from the spread of what was measured before;
    /// both 0 where the prediction came without.
    Ticks predictedLow = 0;
    Ticks predictedHigh = 0;

    friend bool operator==(const RunFigures&, const RunFigures&) = default;
};

} // namespace pw
