// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_analysis.h"
#include "core/store/kept_job.h"
#include "core/trace/align_clocks.h"
#include "core/trace/trace.h"
#include "ui/traces/shown_activity.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::ui {

/// The replicas of a trace; shared by what shows it.
using PipelinesPtr = std::shared_ptr<const std::vector<AlignedPipeline>>;

/// A job in a store whose passes stay there.
struct JobInStore
{
    QString store;
    RunNumber run = 0;
    JobMedians medians;
};

/// A job as its page shows it. Immutable once made and shared.
struct ShownJob
{
    PipelinesPtr pipelines; ///< that the analysis points into; null: `Job::made` has them
    JobAnalysis analysis;
    std::vector<TraceRank> ranks;      ///< of the trace
    std::string origin;                ///< what wrote it
    ShownActivityPtr activity;         ///< all that the trace holds; null: it is not at hand
    std::optional<JobInStore> inStore; ///< where its passes are, if not here

    const Job& job() const { return analysis.job; }
    const RecoveredPipeline& replica(std::size_t number) const
    {
        return *analysis.job.replicas[number];
    }
    /// A step with its passes. @error  as of `keptStep`
    Result<JobOfStep> step(std::size_t number) const;
    /// Whether a figure is told of any worker.
    bool tells(WorkerMeasure measure) const;
    /// As `workerValues`, `passTimes` and `stageBalance` of no step.
    std::vector<std::optional<double>> medians(WorkerMeasure measure) const;
    std::vector<std::optional<double>> medians(const Pass& pass) const;
    std::vector<double> balance() const;
    /// Of those that share the worker's tensors the one that is told of.
    TraceRankId rankOf(const Worker& worker) const { return timesOf(worker).rank; }
    /// The worker that a rank is of, as files number it.
    std::optional<Worker> workerOfRank(std::int32_t number) const;
    /// "42"; "6, 7" where ranks share the worker's tensors and none stands out.
    std::string rankText(const Worker& worker) const;

private:
    const WorkerTimes& timesOf(const Worker& worker) const
    {
        const auto devices = static_cast<std::size_t>(job().devices());
        return analysis
            .workers[static_cast<std::size_t>(worker.replica) * devices + worker.device.index()];
    }
};

using ShownJobPtr = std::shared_ptr<const ShownJob>;

/// Null where there is nothing to compare.
/// @param trace      whose ranks they are
/// @param analysis   of the pipelines
std::shared_ptr<ShownJob> shownJob(const Trace& trace, PipelinesPtr pipelines,
                                   std::optional<JobAnalysis> analysis);

/// The same of a job that was kept, whose passes are read step by step.
std::shared_ptr<ShownJob> shownJob(KeptJob kept, const QString& store, RunNumber run);

} // namespace pw::ui
