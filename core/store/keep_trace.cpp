// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/keep_trace.h"

#include "core/analysis/fit.h"
#include "core/analysis/trace_plan.h"
#include "core/base/try.h"
#include "core/io/project_file.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <filesystem>

namespace pw {

namespace {

/// The iterations with every pass as records of a run: by the numbers that the trace gives them,
/// warm-up counted up to −1.
RunBatch batchOf(const RecoveredPipeline& pipeline)
{
    RunBatch batch;
    std::int32_t warmUp = 0;
    for (const RecoveredIteration& one : pipeline.iterations)
        warmUp -= one.warmUp && one.complete ? 1 : 0;
    std::int64_t left = 0;
    for (const RecoveredIteration& one : pipeline.iterations) {
        if (!one.complete) {
            ++left;
            continue;
        }
        const std::int32_t number = one.warmUp ? warmUp++ : one.number;
        for (std::size_t i = 0; i < one.passes.size(); ++i) {
            RecordedPass record = one.passes[i];
            record.iteration = number;
            batch.passes.push_back(record);
            batch.trust.push_back(static_cast<std::uint8_t>(one.trust[i]));
        }
    }
    if (left > 0)
        batch.logs.push_back({0, RankId::none(), LogLevel::Warning,
                              std::to_string(left) + " iterations lack passes; left out"});
    return batch;
}

/// What people call a trace: its file, or the folder of several.
std::string titleOf(const Trace& trace, const std::string& title)
{
    if (!title.empty() || trace.files.empty())
        return title;
    const std::filesystem::path first(trace.files.front());
    const std::filesystem::path folder = first.parent_path();
    const bool together =
        trace.files.size() > 1 && !folder.filename().empty() &&
        std::all_of(trace.files.begin(), trace.files.end(), [&folder](const std::string& file) {
            return std::filesystem::path(file).parent_path() == folder;
        });
    return together ? folder.filename().string() : first.filename().string();
}

/// The length of a recording: its first event is at 0.
Ticks lengthOf(const Trace& trace)
{
    Ticks last = 0;
    for (const TraceSpan& span : trace.spans)
        last = std::max(last, span.end);
    for (const TraceCounter& counter : trace.counters)
        if (!counter.samples.empty())
            last = std::max(last, counter.samples.back().time);
    return last;
}

/// A run of a trace without what its passes tell.
NewRun bareRun(const Trace& trace, const std::string& title)
{
    NewRun run;
    run.title = titleOf(trace, title);
    run.origin = trace.origin;
    run.ranks = static_cast<int>(trace.ranks.size());
    run.environment.backend = "import";
    run.startedMs = trace.base / ticksPerMs;
    if (trace.base != 0)
        run.endedMs = run.startedMs + (lengthOf(trace) + ticksPerMs / 2) / ticksPerMs;
    if (!trace.ended.empty()) {
        const auto told =
            std::find_if(allRunStatuses.begin(), allRunStatuses.end(),
                         [&trace](RunStatus status) { return name(status) == trace.ended; });
        const bool over = told != allRunStatuses.end() && *told != RunStatus::Running;
        run.status = over ? *told : RunStatus::Incomplete;
    }
    return run;
}

Result<RunNumber> keepBareRun(const Trace& trace, const std::string& store,
                              const std::string& title, const RunStore::KeepMore& more)
{
    PW_TRY(RunStore opened, RunStore::open(store));
    return opened.keep(bareRun(trace, title), {}, {}, {}, more);
}

} // namespace

Result<RunNumber> keepTrace(const Trace& trace, const RecoveredPipeline& pipeline,
                            const TraceFigures& found, const std::string& store,
                            const std::string& title, const RunStore::KeepMore& more)
{
    if (!pipeline.schedule)
        return fail(ErrorCode::BadValue,
                    "nothing is kept in %1: the order of the passes could not be recovered; %2",
                    store, whyNoOrder(pipeline));
    const RunBatch batch = batchOf(pipeline);
    Project project;
    project.title = titleOf(trace, title);
    project.draft = draftOf(*pipeline.schedule);
    PW_TRY(const FittedCosts fitted, fitTrace(trace, pipeline));
    PW_TRY(Costs costs, costsOf(fitted.file, *pipeline.schedule));
    if (const auto memory = addMeasuredMemory(costs, pipeline); !memory)
        return fail(memory.error());
    project.costs = costs;
    PW_TRY(const std::string text, writeProject(project));
    PW_TRY(const SimResult predicted, simulate(*pipeline.schedule, costs));
    RunFigures figures;
    std::vector<Ticks> makespans;
    for (const RecoveredIteration& one : pipeline.iterations)
        if (one.complete && !one.warmUp)
            makespans.push_back(one.makespan());
    figures.iterations = static_cast<int>(makespans.size());
    figures.makespan = pipeline.iteration()->makespan();
    figures.makespanLow =
        makespans.empty() ? 0 : *std::min_element(makespans.begin(), makespans.end());
    figures.makespanHigh =
        makespans.empty() ? 0 : *std::max_element(makespans.begin(), makespans.end());
    figures.predictedMakespan = predicted.makespan;
    figures.spanBubble = spanBubble(pipeline.measured).rate();
    figures.predictedSpanBubble = spanBubble(predicted).rate();
    NewRun run = bareRun(trace, project.title);
    if (pipeline.family.exact())
        run.family = pipeline.family.matches.front().family->id;
    run.project = text;
    run.ranks = pipeline.schedule->devices();
    PW_TRY(RunStore opened, RunStore::open(store));
    return opened.keep(run, batch, found, figures, more);
}

Result<RunNumber> keepWholeTrace(const KeptActivity& kept, const RecoveredPipeline& pipeline,
                                 const TraceFigures& found, const std::string& store,
                                 const std::string& title, const KeepOn& goOn)
{
    const RunStore::KeepMore more = [&](Database& database, RunNumber run) {
        return keepActivity(database, run, kept, goOn);
    };
    return pipeline.schedule ? keepTrace(kept.trace, pipeline, found, store, title, more)
                             : keepBareRun(kept.trace, store, title, more);
}

Result<RunNumber> keepTraceActivity(Trace& trace, const std::string& store,
                                    const std::string& title)
{
    const TraceActivity source(trace);
    const TraceMessages messages = pairMessages(trace);
    return keepWholeTrace({trace, source, messages.pairs, {}}, {}, {}, store, title);
}

} // namespace pw
