// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_analysis.h"
#include "core/trace/align_clocks.h"
#include "core/trace/trace.h"
#include "ui/traces/shown_activity.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::ui {

/// The replicas of a trace; shared by what shows it.
using PipelinesPtr = std::shared_ptr<const std::vector<AlignedPipeline>>;

/// A job as its page shows it. Immutable once made and shared.
struct ShownJob
{
    PipelinesPtr pipelines; ///< that the analysis points into
    JobAnalysis analysis;
    std::vector<TraceRank> ranks; ///< of the trace
    std::string origin;           ///< what wrote it
    ShownActivityPtr activity;    ///< all that the trace holds; null: it is not there

    const Job& job() const { return analysis.job; }
    const RecoveredPipeline& replica(std::size_t number) const
    {
        return *analysis.job.replicas[number];
    }
    /// "rank 42"; a replica's device where the rank has no number.
    std::string rankText(const Worker& worker) const;
};

using ShownJobPtr = std::shared_ptr<const ShownJob>;

/// Null where there is nothing to compare.
/// @param trace      whose ranks they are
/// @param analysis   of the pipelines
std::shared_ptr<ShownJob> shownJob(const Trace& trace, PipelinesPtr pipelines,
                                   std::optional<JobAnalysis> analysis);

} // namespace pw::ui
