// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_advice.h"

#include "core/base/try.h"
#include "core/store/stored_job.h"
#include "core/store/stored_what_if.h"

#include <optional>
#include <string>
#include <utility>

namespace pw {

namespace {

/// Of a run that is one pipeline.
Result<AdviceSource> sourceOfOne(RunStore& store, RunNumber run)
{
    PW_TRY(const RecoveredPipeline pipeline, storedPipeline(store, run));
    PW_TRY(WhatIfBase base, whatIfBase(store, run));
    return adviceSource(pipeline, std::move(base));
}

} // namespace

Result<AdviceSource> adviceSource(RunStore& store, RunNumber run)
{
    PW_TRY(const std::optional<WholeJob> job, replicasOfStoredRun(store, run));
    PW_TRY(AdviceSource source,
           job ? adviceSource(job->trace, job->pipelines, 0) : sourceOfOne(store, run));
    source.name = "run " + std::to_string(run);
    PW_TRY(const RunDetails details, store.run(run));
    if (const Result<Project> project = readProject(details.project))
        setModel(source, *project);
    return source;
}

} // namespace pw
