// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/job/job_analysis.h"
#include "core/trace/records.h"

#include <optional>
#include <span>
#include <vector>

namespace pw {

/// A job with all that its analysis is of.
struct WholeJob
{
    Trace trace;
    std::vector<AlignedPipeline> pipelines;
    std::optional<JobAnalysis> analysis; ///< as of `analyseJob`
};

/// A run of our own as a trace: a rank for each of its devices, all on one clock. Warm-up
/// iterations are left out.
Trace traceOfRun(std::span<const RecordedPass> passes);

/// The replicas of a run of our own, as many as its order has, without analysis.
WholeJob replicasOfRun(std::span<const RecordedPass> passes);

/// The job of a trace and its replicas, with its analysis.
WholeJob analysedJob(Trace trace, std::vector<AlignedPipeline> pipelines);

/// The job that a run of our own is: as many replicas as its order has.
WholeJob jobOfRun(std::span<const RecordedPass> passes);

} // namespace pw
