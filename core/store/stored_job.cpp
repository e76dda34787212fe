// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_job.h"

#include "core/analysis/fit.h"
#include "core/base/try.h"
#include "core/store/stored_trace.h"
#include "core/store/stored_what_if.h"

#include <string>
#include <utility>
#include <vector>

namespace pw {

Result<std::optional<WholeJob>> replicasOfStoredRun(RunStore& store, RunNumber run)
{
    PW_TRY(const RunDetails details, store.run(run));
    if (details.run.origin != "executed")
        return std::optional<WholeJob>();
    PW_TRY(const StoredPasses kept, store.passes({.run = run}));
    WholeJob job = replicasOfRun(kept.passes);
    return job.pipelines.size() > 1 ? std::optional(std::move(job)) : std::nullopt;
}

Result<WhatIfBase> replicaWhatIfBase(RunStore& store, RunNumber run)
{
    PW_TRY(const std::optional<WholeJob> job, replicasOfStoredRun(store, run));
    if (!job)
        return whatIfBase(store, run);
    const RecoveredPipeline& first = job->pipelines.front().pipeline;
    PW_TRY(const RunDetails details, store.run(run));
    PW_TRY(const FittedCosts fitted,
           fitCosts(first, {"run " + std::to_string(run), details.run.environment.backend}));
    return whatIfBase(first, fitted);
}

Result<WholeJob> jobOfStoredRun(RunStore& store, RunNumber run)
{
    PW_TRY(const RunDetails details, store.run(run));
    if (details.run.origin == "executed") {
        PW_TRY(const StoredPasses kept, store.passes({.run = run}));
        return jobOfRun(kept.passes);
    }
    PW_TRY(StoredTrace kept, loadStoredTrace(store.path(), run));
    std::vector<AlignedPipeline> pipelines = recoverAllAligned(kept.trace);
    return analysedJob(std::move(kept.trace), std::move(pipelines));
}

} // namespace pw
