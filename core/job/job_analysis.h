// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_causes.h"

#include <optional>
#include <span>
#include <vector>

namespace pw {

/// Everything that is told of a job: where its time goes, why, and what repairs would gain.
struct JobAnalysis
{
    Job job;
    JobEfficiency efficiency;
    std::vector<WorkerTimes> workers; ///< by replica and device
    std::vector<FoundCause> causes;   ///< the costliest first
    std::vector<JobWhatIf> whatIfs;   ///< the largest gain first
    Ticks stepTime = 0;               ///< median of whole steps after warm-up
};

/// Nothing where no step of the trace has all passes of a known order.
///
/// @param pipelines  of all replicas; outlive the analysis
/// @complexity       O(w·n) for n passes, w workers of a replica; each what-if of a worker runs the
///                   steps of its replica again
std::optional<JobAnalysis> analyseJob(const Trace& trace,
                                      std::span<const AlignedPipeline> pipelines);

} // namespace pw
