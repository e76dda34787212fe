// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/job/job_analysis.h"
#include "core/store/run_store.h"
#include "core/trace/records.h"
#include "core/trace/what_if.h"

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

/// The job that a run of our own is: as many replicas as its order has.
WholeJob jobOfRun(std::span<const RecordedPass> passes);

/// The same of a run of a store: its passes where it was run here, the trace that was kept where it
/// is of another program.
/// @error  as of `RunStore` and `loadStoredTrace`
Result<WholeJob> jobOfStoredRun(RunStore& store, RunNumber run);

/// The replicas of a run of our own that has several, without analysis; nothing where it has one,
/// or is of another program.
/// @error  as of `RunStore`
Result<std::optional<WholeJob>> replicasOfStoredRun(RunStore& store, RunNumber run);

/// What what-ifs of a stored run start from: its first replica where it has several, since a change
/// of the order is made in each of them, else all of it.
/// @error  as of `whatIfBase`
Result<WhatIfBase> replicaWhatIfBase(RunStore& store, RunNumber run);

} // namespace pw
