// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_replay.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Which part of all ranks' time computes, as a product. Each factor is the median over steps, and
/// over replicas where it is one's own.
struct JobEfficiency
{
    double replicas = 1; ///< mean span of the pipelines ⁄ step: unlike replicas, work around passes
    double stages = 1;   ///< mean ⁄ largest work of a device: balance
    double order = 1;    ///< largest work ⁄ the order run again over free links: the bubble
    double links = 1;    ///< that replay ⁄ measured span: messages and gaps

    double parallel() const { return replicas * stages * order * links; }
};

JobEfficiency efficiencyOf(const JobReplay& replay);

/// What a worker takes for its passes, medians over its steps.
struct WorkerTimes
{
    Worker worker;
    /// Of the trace. Where ranks share the worker's tensors, the one that computes longest, where
    /// one does; else the first of them.
    TraceRankId rank;
    /// Ranks that share the worker's tensors where none of them stands out; empty: `rank` is the
    /// one.
    std::vector<TraceRankId> alike;
    Ticks forward = 0;
    Ticks backward = 0;      ///< B and W together where they are apart
    double forwardRatio = 1; ///< to the median of the replicas of this stage
    double backwardRatio = 1;
};

/// By replica and device.
/// @param trace  that the job is of
std::vector<WorkerTimes> workerTimes(const JobReplay& replay, const Trace& trace);

/// A change of a job's times.
enum class Repair : std::uint8_t
{
    AllMean, ///< every pass takes the mean of its kind, messages and the rest their median
    /// A worker's passes take what those of its replicas take, and no more than the mean of their
    /// kind.
    WorkerRepaired,
    StageRepaired, ///< a stage's passes take the mean of their kind
    StepRepaired,  ///< a step takes what the others take
    FreeLinks,     ///< messages take no time
    NoLaunchGaps,  ///< nothing but passes, messages and the order holds anything up
    Family         ///< the order of another family
};

constexpr int repairCount = 7;

/// "all_mean", "worker_repaired", "stage_repaired", "step_repaired", "free_links",
/// "no_launch_gaps", "family".
std::string_view name(Repair repair);

/// What a job's step would take. Steps are means over those that count, run again: without gaps
/// that nothing explains, but for `NoLaunchGaps`, whose gain is against what was measured.
struct JobWhatIf
{
    Repair what = Repair::AllMean;
    std::int32_t replica = -1; ///< −1: all
    DeviceId device;           ///< none: all
    std::int32_t step = -1;    ///< of `Job::steps`; −1: all
    double stepTicks = 0;
    double gain = 0;      ///< part of the step
    std::string family{}; ///< its id, of `Family`
};

/// Every repair that gains anything, the largest gain first; `AllMean`, `FreeLinks` and
/// `NoLaunchGaps` always.
///
/// @param most  workers, stages and steps of each kind, those that gain most
std::vector<JobWhatIf> jobWhatIfs(const JobReplay& replay, std::size_t most);

/// What of a job is another way where a worker or a stage is repaired.
JobReplay::Variant workerRepair(const JobReplay& replay, const Worker& worker);
JobReplay::Variant stageRepair(const JobReplay& replay, DeviceId device);

/// One worker or stage repaired. @pre a repair of that kind; several replicas for a worker
JobWhatIf workerRepaired(const JobReplay& replay, const Worker& worker);
JobWhatIf stageRepaired(const JobReplay& replay, DeviceId device);

} // namespace pw
