// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/trace_plan.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/rank_memory.h"

#include <filesystem>

namespace pw {

namespace {

std::string notesOf(const Trace& trace, const FittedCosts& fitted,
                    const std::optional<RankMemory>& memory)
{
    constexpr double whole = 100;
    const double off = whole * fitted.residual();
    std::string notes = "From " + trace.origin + ": " + trace.files.front();
    if (trace.files.size() > 1)
        notes += " and " + std::to_string(trace.files.size() - 1) + " more";
    notes += ".\nThe order of the trace took " + millisecondText(fitted.measured) +
             "; with these costs it takes " + millisecondText(fitted.predicted) + " (" +
             (off > 0 ? "+" : "") + plainNumber(off, 3) +
             " %). No other prediction with them is better than that.\n";
    notes +=
        "A message takes " + timeText(fitted.file.link.latency) +
        (memory
             ? "; memory is fitted to the peaks of the ranks: " + byteText(memory->perMicroBatch) +
                   " for each micro-batch in flight, and a fixed part a rank."
             : std::string("; bytes of activations and weights are not known."));
    return notes;
}

} // namespace

Result<std::optional<RankMemory>> addMeasuredMemory(Costs& costs, const RecoveredPipeline& pipeline)
{
    std::optional<RankMemory> memory;
    if (pipeline.peakBytes.empty())
        return memory;
    PW_TRY(const SimResult predicted, simulate(*pipeline.schedule, costs));
    memory = fitRankMemory(pipeline.peakBytes, pipeline.schedule->spec(), predicted);
    if (memory)
        putRankMemory(costs, *memory, pipeline.schedule->spec());
    return memory;
}

Result<Project> planOf(const Trace& trace, const RecoveredPipeline& pipeline,
                       const FittedCosts& fitted, const std::string& title)
{
    PW_TRY(Costs costs, costsOf(fitted.file, *pipeline.schedule));
    PW_TRY(const std::optional<RankMemory> memory, addMeasuredMemory(costs, pipeline));
    Project plan;
    plan.title =
        "Plan from " +
        (title.empty() ? std::filesystem::path(trace.files.front()).filename().string() : title);
    plan.notes = notesOf(trace, fitted, memory);
    plan.draft = draftOf(*pipeline.schedule);
    plan.costs = std::move(costs);
    if (!pipeline.family.exact())
        return plan;
    const FamilyMatch& match = pipeline.family.matches.front();
    const Result<PipelineSpec> spec = specOf(*match.family, match.options);
    if (!spec)
        return plan;
    Project made = plan;
    made.family = FamilyChoice{std::string(match.family->id), match.options};
    made.draft = {*spec, {}};
    // The order of some families follows from the times, and these are not those of the trace.
    const Result<Schedule> schedule = scheduleOf(made);
    return schedule && schedule->orders() == pipeline.schedule->orders() ? made : plan;
}

} // namespace pw
