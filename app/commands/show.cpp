// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/activity_gantt.h"
#include "app/fetched_slices.h"
#include "app/gantt.h"
#include "app/job_report.h"
#include "app/kept_answer.h"
#include "app/run_report.h"
#include "app/simulation_text.h"
#include "app/stored_run.h"
#include "app/stretch_table.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/store/activity_store.h"
#include "core/store/kept_job.h"
#include "core/store/stored_job.h"
#include "core/store/trace_figures.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace pw::app::commands {

namespace {

constexpr double percent = 100;

std::string rate(double value)
{
    return plainNumber(percent * value, 3) + " %";
}

std::string headingText(const RunDetails& details, const Screen& screen)
{
    const StoredRun& run = details.run;
    std::string out = screen.bold("run " + std::to_string(run.number) +
                                  (run.title.empty() ? "" : ": " + run.title)) +
                      "\n";
    TextTable table(screen, {{"", "", TextTable::Align::Left}, {"", "", TextTable::Align::Left}});
    const auto row = [&](const char* what, const std::string& value) {
        if (!value.empty())
            table.append({screen.paint(what, Role::Secondary), value});
    };
    row("status", std::string(name(run.status)) + ", " + momentText(run.startedMs) + " UTC" +
                      (run.endedMs > 0 ? " to " + momentText(run.endedMs) : ""));
    row("family", run.family);
    row("host", run.environment.host);
    row("backend", run.environment.backend +
                       (run.environment.transport.empty() ? "" : ", " + run.environment.transport));
    row("driver", run.environment.driver);
    row("build", run.environment.build);
    row("devices", run.environment.devices.empty() ? std::to_string(run.ranks)
                                                   : devicesText(run.environment.devices));
    for (const Sentence& line : gpuConditions(details.gpus))
        row("", line.english());
    row("passes", groupedNumber(run.passes));
    row("notes", run.notes);
    for (const RunFault& fault : details.faults)
        row("fault", fault.text);
    return out + table.text();
}

/// Planned and measured beside each other.
std::string figuresText(const StoredRun& run, const Screen& screen)
{
    const RunFigures& figures = run.figures;
    if (figures.makespan == 0)
        return {};
    TextTable table(screen, {{"", "", TextTable::Align::Left},
                             {"predicted"},
                             {"measured"},
                             {"", "", TextTable::Align::Left}});
    std::string difference;
    if (figures.predictedMakespan > 0)
        difference = plainNumber(percent * (static_cast<double>(figures.makespan) /
                                                static_cast<double>(figures.predictedMakespan) -
                                            1),
                                 3) +
                     " % longer";
    table.append(
        {"makespan", timeText(figures.predictedMakespan), timeText(figures.makespan), difference});
    table.append({"", "", "",
                  "median of " + countText(figures.iterations, "iteration") + ", " +
                      timeText(figures.makespanLow) + " to " + timeText(figures.makespanHigh)});
    if (figures.predictedHigh > 0)
        table.append({"90 % interval",
                      timeText(figures.predictedLow) + " to " + timeText(figures.predictedHigh),
                      std::string(intervalWord(figures.makespan, figures.predictedLow,
                                               figures.predictedHigh)),
                      ""});
    table.append({"span bubble", rate(figures.predictedSpanBubble), rate(figures.spanBubble)});
    if (figures.peakActivation > 0 || figures.predictedPeakActivation > 0)
        table.append({"peak activation", byteText(figures.predictedPeakActivation),
                      byteText(figures.peakActivation)});
    return "\n" + table.text();
}

/// The losses in at most as many columns as the screen has, one of eight heights each.
std::string lossText(const std::vector<StepLoss>& losses, const Screen& screen)
{
    std::vector<double> values;
    for (const StepLoss& loss : losses) {
        if (std::isfinite(loss.loss))
            values.push_back(loss.loss);
    }
    if (values.empty())
        return {};
    constexpr std::size_t mostColumns = 60;
    const auto room = static_cast<std::size_t>(std::max(screen.width - 40, 10));
    const std::size_t columns = std::min({values.size(), mostColumns, room});
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double range = *most > *least ? *most - *least : 1;
    constexpr std::array<std::string_view, 8> heights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string curve;
    for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t from = c * values.size() / columns;
        const std::size_t to = std::max(from + 1, (c + 1) * values.size() / columns);
        double sum = 0;
        for (std::size_t i = from; i < to; ++i)
            sum += values[i];
        const double part = (sum / static_cast<double>(to - from) - *least) / range;
        curve += heights[static_cast<std::size_t>(std::lround(part * (heights.size() - 1)))];
    }
    return "\n  loss " + plainNumber(values.front()) + " " + screen.paint(curve, Role::Accent) +
           " " + plainNumber(values.back()) + " over " + countText(losses.size(), "step") + "\n";
}

/// The lines of the log, but for the reasons of switches, which stand below the table of k.
std::string logText(const std::vector<RunLog>& logs, const std::optional<StoredAdaptive>& adaptive,
                    const Screen& screen)
{
    std::string out;
    for (const RunLog& log : logs) {
        const auto says = [&log](const AdaptedStretch& one) { return one.reason == log.text; };
        if (adaptive && std::any_of(adaptive->stretches.begin(), adaptive->stretches.end(), says))
            continue;
        out += wrapped(
            (log.level == LogLevel::Warning ? "warning: " : "") +
                (log.rank >= 0 ? "device " + std::to_string(log.rank) + ": " : std::string()) +
                log.text,
            screen.width, 2);
    }
    return out;
}

/// Streams and threads of an imported trace; empty where none were kept.
Result<std::string> lanesOf(const RunStore& store, RunNumber run, const Screen& screen)
{
    PW_TRY(const StoredActivity activity, StoredActivity::open(store.path(), run));
    const Result<std::string> lanes = activityGantt(activity, screen);
    return lanes && !lanes->empty() ? "\n" + *lanes : lanes;
}

/// What the job of several replicas loses, and why; empty of one pipeline. A run of ours says in
/// its settings how many there are, a trace finds out.
Result<std::string> jobOf(RunStore& store, const RunDetails& details, const Screen& screen)
{
    const bool ours = details.run.origin == "executed";
    if (ours && details.settings.find("\"replicas\":") == std::string::npos)
        return std::string();
    if (!ours) {
        PW_TRY(const StoredActivity activity,
               StoredActivity::open(store.path(), details.run.number));
        if (activity.lanes().empty())
            return std::string();
    }
    PW_TRY(const std::optional<KeptJob> kept, keptJob(store.path(), details.run.number));
    if (kept)
        return kept->analysis.job.replicas.size() < 2 ? std::string()
                                                      : jobText(kept->analysis, screen);
    PW_TRY(const WholeJob job, jobOfStoredRun(store, details.run.number));
    if (!job.analysis || job.analysis->job.replicas.size() < 2)
        return std::string();
    return jobText(*job.analysis, screen);
}

/// What one rank did, from its own trace: lanes, JSON, or a run of its own.
Outcome showRank(RunStore& store, RunNumber run, const Arguments& arguments, Console& console)
{
    RankQuestion question;
    question.rank = static_cast<std::int32_t>(arguments.whole("rank", 0));
    if (arguments.has("iteration"))
        question.iteration = static_cast<std::int32_t>(arguments.whole("iteration", 0));
    if (arguments.has("via"))
        question.via = arguments.text("via");
    PW_TRY(ImportOptions reading, importOptions(arguments));
    question.reading = {std::move(reading.rules), std::move(reading.kernels)};
    PW_TRY(FetchedSlices found, fetchedSlices(store.path(), run, question));
    if (arguments.has("json")) {
        console.out << fetchedJson(found);
        return ExitCode::Good;
    }
    std::string title = "rank " + std::to_string(question.rank);
    if (question.iteration)
        title += ", iteration " + std::to_string(*question.iteration);
    PW_TRY(const std::string lanes, fetchedLanes(found, console.screen));
    console.out << console.screen.bold(title) << ", "
                << countText(found.trace.trace.spans.size(), "slice") << " of " << found.file.path
                << (found.file.host.empty() ? "" : " on " + found.file.host) << "\n\n"
                << lanes;
    if (!arguments.has("keep"))
        return ExitCode::Good;
    PW_TRY(const RunNumber kept, keepTraceActivity(found.trace.trace, store.path(), title));
    console.out << "\nkept as run " << kept << "\n";
    return ExitCode::Good;
}

Outcome runShow(const Arguments& arguments, Console& console)
{
    for (const char* option : {"via", "keep", "rule", "rules", "kernel"})
        if (arguments.has(option) && !arguments.has("rank"))
            return usage("--" + std::string(option) + " is for the slices of one rank: --rank N");
    if (const std::optional<std::int64_t> answer = answerNumber(arguments.words()[0]))
        return showAnswer(*answer, arguments, console);
    if (arguments.has("json") && !arguments.has("rank"))
        return usage("--json is for a plan or a comparison that was kept, or with --rank for "
                     "slices; export writes runs");
    PW_TRY(RunStore store, storeToRead(arguments));
    PW_TRY(const RunNumber number, runOfWord(store, arguments.words()[0]));
    if (arguments.has("rank"))
        return showRank(store, number, arguments, console);
    PW_TRY(const RunDetails details, store.run(number));
    std::optional<StoredIteration> chosen;
    if (details.run.passes > 0) { // before anything is shown: there may be no such iteration
        PW_TRY(chosen, iterationOf(store, number, arguments));
    }
    const Screen& screen = console.screen;
    console.out << headingText(details, screen) << figuresText(details.run, screen);
    PW_TRY(const std::vector<StepLoss> losses, store.losses(number));
    console.out << lossText(losses, screen);
    PW_TRY(const std::vector<RunLog> logs, store.logs(number));
    PW_TRY(const std::optional<StoredAdaptive> adaptive, storedAdaptive(store, number));
    console.out << logText(logs, adaptive, screen);
    if (adaptive)
        console.out << "\n" << adaptiveText(*adaptive, screen);
    PW_TRY(const TraceFigures imported, store.traceFigures(number));
    if (!imported.clocks.text.empty())
        console.out << wrapped(imported.clocks.text, screen.width, 2);
    if (details.run.passes == 0 || arguments.has("lanes")) {
        PW_TRY(const std::string lanes, lanesOf(store, number, screen));
        console.out << lanes;
    }
    PW_TRY(const std::string job, jobOf(store, details, screen));
    console.out << job;
    if (!chosen)
        return ExitCode::Good;
    const StoredIteration& shown = *chosen;
    console.out << "\n"
                << screen.bold("iteration " + std::to_string(shown.iteration)) << ", "
                << timeText(shown.measured.makespan) << ", predicted "
                << timeText(shown.predicted.makespan) << "\n\n";
    if (!arguments.has("no-gantt")) {
        const std::string lanes = gantt(shown.schedule, shown.measured, screen);
        console.out << lanes << (lanes.empty() ? "" : "\n");
    }
    console.out << "measured\n"
                << devicesText(shown.measured, screen) << "predicted\n"
                << devicesText(shown.predicted, screen);
    return ExitCode::Good;
}

std::vector<Option> optionsOfShow()
{
    std::vector<Option> all = {
        storeOption(),
        iterationOption(),
        {.name = "json",
         .summary = "of a kept plan or comparison: what was kept for programs; with --rank: "
                    "the slices"},
        {.name = "rank",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "of a job of digests: what one rank did, read from its trace now",
         .minimum = 0,
         .maximum = 1'048'576},
        {.name = "via",
         .kind = ValueKind::Text,
         .placeholder = "COMMAND",
         .summary = "with --rank: the way to the machine that has the trace, as 'ssh node "
                    "pipewright' (default: this machine)"},
        {.name = "keep", .summary = "with --rank: keeps the slices as a run of the store"},
        {.name = "no-gantt", .summary = "only the numbers"},
        {.name = "lanes",
         .summary = "also every stream and thread of an imported trace, one line each"}};
    for (Option option : readingOptions()) { // as a digest was made
        option.summary = "with --rank: " + option.summary;
        all.push_back(std::move(option));
    }
    return all;
}

} // namespace

Command show()
{
    Command command;
    command.name = "show";
    command.group = CommandGroup::Run;
    command.summary = "one run: figures, losses, timeline";
    command.words = "RUN|KEPT";
    command.wordKind = WordKind::Run;
    command.about =
        "Shows a run that was kept: where it ran, what was predicted and what was measured, how "
        "the loss fell, and the timeline of one iteration with one line per device. For training "
        "whose k follows the network (run kfkb --adapt), it also shows k over time with each "
        "switch.\n"
        "KEPT is a plan or a comparison that was kept with --keep, as `pipewright runs` shows it: "
        "a1. It is shown as it was, with the command line that asks it again.\n"
        "Of a job whose digests were merged, --rank N shows what one rank did, read from its trace "
        "now: on this machine, or with --via on the one that has it. --iteration leaves one step. "
        "It is read by the rules that its digest was made with; --rule, --rules and --kernel take "
        "their place.\n"
        "RUN is a number as `pipewright runs` shows it, or last. Peaks in micro-batches are not "
        "measured and read 0.";
    command.examples = {"pipewright show last", "pipewright show 1 --iteration 0 --no-gantt"};
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfShow;
    command.run = runShow;
    return command;
}

} // namespace pw::app::commands
