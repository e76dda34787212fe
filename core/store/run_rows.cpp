// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_rows.h"

#include "core/io/spec_names.h"
#include "core/store/stored_limits.h"
#include "core/store/writer.h"

#include <limits>
#include <optional>

namespace pw {

const char* const runColumns =
    "SELECT number, title, notes, origin, family, started_ms, ended_ms, status, ranks, host, "
    "backend, transport, driver, build, iterations, makespan, makespan_low, makespan_high, "
    "predicted_makespan, predicted_low, predicted_high, span_bubble, predicted_span_bubble, "
    "peak_activation, "
    "predicted_peak_activation, first_loss, last_loss, "
    "(SELECT coalesce(sum(passes), 0) FROM lane WHERE lane.run = run.number), writer, touched_ms "
    "FROM run";

StoredRun readRun(const Statement& row)
{
    StoredRun run;
    int column = 0;
    run.number = row.whole(column++);
    run.title = row.text(column++);
    run.notes = row.text(column++);
    run.origin = row.text(column++);
    run.family = row.text(column++);
    run.startedMs = row.whole(column++);
    run.endedMs = row.whole(column++);
    const std::string whose = "of run " + std::to_string(run.number);
    const std::optional<RunStatus> status = named(allRunStatuses, row.view(column));
    if (!status)
        row.refuse(said("the status %1 is \"%2\", which is none that a run can have", whose,
                        row.text(column)));
    run.status = status.value_or(RunStatus::Incomplete);
    ++column;
    run.ranks =
        static_cast<int>(row.within(column++, 0, mostStoredRanks, "the count of ranks " + whose));
    run.environment.host = row.text(column++);
    run.environment.backend = row.text(column++);
    run.environment.transport = row.text(column++);
    run.environment.driver = row.text(column++);
    run.environment.build = row.text(column++);
    RunFigures& figures = run.figures;
    figures.iterations = static_cast<int>(
        row.within(column++, 0, std::numeric_limits<int>::max(), "the iterations " + whose));
    for (Ticks* const makespan :
         {&figures.makespan, &figures.makespanLow, &figures.makespanHigh,
          &figures.predictedMakespan, &figures.predictedLow, &figures.predictedHigh})
        *makespan = row.within(column++, 0, latestStored, "a makespan " + whose);
    figures.spanBubble = row.number(column++);
    figures.predictedSpanBubble = row.number(column++);
    figures.peakActivation = row.whole(column++);
    figures.predictedPeakActivation = row.whole(column++);
    figures.firstLoss = row.number(column++);
    figures.lastLoss = row.number(column++);
    run.passes = row.whole(column++);
    const std::string writer = row.text(column++);
    const std::int64_t touched = row.whole(column);
    if (run.status == RunStatus::Running && !writerLives(writer, wallClockMs() - touched)) {
        run.status = RunStatus::Incomplete;
        run.endedMs = touched;
    }
    return run;
}

} // namespace pw
