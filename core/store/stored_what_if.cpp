// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_what_if.h"

#include "core/base/try.h"
#include "core/store/stored_iteration.h"
#include "core/trace/recover_parts.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

/// A run in the form in which the pipeline of a trace is.
Result<RecoveredPipeline> pipelineOf(RunStore& store, RunNumber run, const StoredIteration& shown)
{
    PW_TRY(const StoredPasses stored, store.passes(RecordQuery{run}));
    std::map<std::int32_t, RecoveredIteration> iterations;
    for (const RecordedPass& record : stored.passes) {
        if (record.entry < 0 || (record.iteration < 0 && shown.iteration >= 0))
            continue;
        const auto [at, made] = iterations.try_emplace(record.iteration);
        RecoveredIteration& one = at->second;
        one.number = record.iteration;
        one.first = made ? record.start : std::min(one.first, record.start);
        one.last = made ? record.end : std::max(one.last, record.end);
        one.passes.push_back(record);
    }
    RecoveredPipeline pipeline;
    pipeline.schedule = shown.schedule;
    pipeline.measured = shown.measured;
    for (auto& [number, one] : iterations) {
        one.complete = static_cast<std::int64_t>(one.passes.size()) == shown.schedule.passCount();
        pipeline.shown = number == shown.iteration ? pipeline.iterations.size() : pipeline.shown;
        pipeline.iterations.push_back(std::move(one));
    }
    findTimes(pipeline);
    return pipeline;
}

} // namespace

Result<RecoveredPipeline> storedPipeline(RunStore& store, RunNumber run)
{
    PW_TRY(const StoredIteration shown, loadIteration(store, run, {}, false));
    return pipelineOf(store, run, shown);
}

Result<WhatIfBase> whatIfBase(RunStore& store, RunNumber run)
{
    PW_TRY(const StoredIteration shown, loadIteration(store, run, {}, false));
    const std::string name = "run " + std::to_string(run);
    PW_TRY(RecoveredPipeline pipeline, pipelineOf(store, run, shown));
    const Result<FittedCosts> fitted =
        fitCosts(pipeline, {name, shown.details.run.environment.backend});
    if (!fitted)
        return fail(fitted.error().code, "%1: %2", name, fitted.error().message);
    findFamily(pipeline);
    Result<WhatIfBase> base = whatIfBase(pipeline, *fitted);
    if (!base || base->family)
        return base;
    // An order that a search made is known by what was asked for.
    if (const Result<Project> project = readProject(shown.details.project))
        base->family = project->family;
    return base;
}

} // namespace pw
