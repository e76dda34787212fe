// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/keep_trace.h"

#include "core/io/project_file.h"
#include "core/sim/metrics.h"
#include "core/trace/fit.h"

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
        batch.logs.push_back(
            {0, -1, LogLevel::Warning, std::to_string(left) + " iterations lack passes; left out"});
    return batch;
}

} // namespace

Result<RunNumber> keepTrace(const Trace& trace, const RecoveredPipeline& pipeline,
                            const TraceFigures& found, const std::string& store,
                            const std::string& title)
{
    if (!pipeline.schedule)
        return fail(ErrorCode::BadValue, "nothing is kept in " + store +
                                             ": the order of the passes could not be recovered; " +
                                             whyNoOrder(pipeline));
    const RunBatch batch = batchOf(pipeline);
    Project project;
    project.title =
        title.empty() ? std::filesystem::path(trace.files.front()).filename().string() : title;
    project.draft = draftOf(*pipeline.schedule);
    const Result<FittedCosts> fitted = fitTrace(trace, pipeline);
    if (!fitted)
        return fail(fitted.error());
    Result<Costs> costs = costsOf(fitted->file, pipeline.schedule->spec());
    if (!costs)
        return fail(costs.error());
    project.costs = *costs;
    const Result<std::string> text = writeProject(project);
    if (!text)
        return fail(text.error());
    const Result<SimResult> predicted = simulate(*pipeline.schedule, *costs);
    if (!predicted)
        return fail(predicted.error());
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
    figures.predictedMakespan = predicted->makespan;
    figures.spanBubble = spanBubble(pipeline.measured).rate();
    figures.predictedSpanBubble = spanBubble(*predicted).rate();
    NewRun run;
    run.title = project.title;
    run.origin = trace.origin;
    if (pipeline.family.exact())
        run.family = pipeline.family.matches.front().family->id;
    run.project = *text;
    run.ranks = pipeline.schedule->devices();
    run.environment.backend = "import";
    run.startedMs = trace.base / ticksPerMs;
    Result<RunStore> opened = RunStore::open(store);
    if (!opened)
        return fail(opened.error());
    return opened->keep(run, batch, found, figures);
}

} // namespace pw
