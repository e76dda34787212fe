// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/job/job_figures.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What makes a job slower than it need be.
enum class JobCause : std::uint8_t
{
    SlowWorker,         ///< computes more slowly than its replicas
    HeavyStage,         ///< has more work than the others
    UnevenMicroBatches, ///< micro-batches that are long in all stages: sequences of uneven length
    SlowLink,           ///< messages take longer than on the other links
    SlowStep,           ///< one step, all of it
    LateHost,           ///< work that nothing holds up begins late
    Collector,          ///< steps with a garbage collection, or that save a checkpoint
    Order,              ///< the order is not quite that of its family, and waits for that
    WarmUp              ///< the first steps
};

constexpr int jobCauseCount = 9;

/// "slow_worker", "heavy_stage", "uneven_micro_batches", "slow_link", "slow_step", "late_host",
/// "collector", "order", "warm_up".
std::string_view name(JobCause cause);

/// A cause with its evidence. −1 and none: does not apply.
struct FoundCause
{
    JobCause cause = JobCause::SlowWorker;
    std::int32_t replica = -1;
    DeviceId device;
    std::int32_t step = -1; ///< of `Job::steps`
    DeviceId from;          ///< of a link: its ends, the lower one first
    DeviceId to;
    double costTicks = 0; ///< of the job's step, in the mean
    double share = 0;     ///< of the time in which ranks do not compute, 0 to 1
    Sentence sentence;
};

/// Finds what is wrong with a job, the costliest first.
///
/// Something is only named where it stands out from its like, by more than what these differ by
/// among each other: a worker among its replicas, a stage among stages, a link among links, a
/// micro-batch among micro-batches, a step among steps. "Stands out" is by a factor that matters
/// (1.05 for workers, 1.1 for stages and micro-batches, 2 for links) and by more than
/// four times the spread of its like (their median distance from their median, times 1.4826). Of
/// the steps' times `findingsOf` says what stands out.
///
/// @param trace  for the numbers of ranks
std::vector<FoundCause> jobCauses(const JobReplay& replay, const Trace& trace);

} // namespace pw
