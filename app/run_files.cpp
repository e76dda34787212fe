// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/run_files.h"

#include "app/advice_page.h"
#include "app/drawn_files.h"
#include "app/job_page.h"
#include "app/stored_run.h"
#include "app/study_files.h"
#include "app/web_application.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/web_page.h"
#include "core/reading/import_trace.h"
#include "core/store/activity_store.h"
#include "core/store/stored_advice.h"
#include "core/store/stored_job.h"
#include "core/store/stored_trace.h"
#include "core/trace/activity_export.h"
#include "core/trace/otf2_export.h"
#include "core/trace/run_export.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <ostream>
#include <sstream>

namespace pw::app {

namespace {

/// The streams and threads of an imported trace, as a picture or as events.
Result<std::string> slicesOf(const RunStore& store, RunNumber run, bool picture,
                             const std::string& title)
{
    PW_TRY(const StoredActivity activity, StoredActivity::open(store.path(), run));
    if (activity.lanes().empty())
        return fail(ErrorCode::BadValue,
                    "run %1 has no streams and threads: it is not an imported trace, or was kept "
                    "by an older Pipewright",
                    run);
    if (picture) {
        ActivityFigure figure;
        figure.title = title;
        return writeActivitySvg(activity, figure);
    }
    std::ostringstream out;
    PW_DO(writeActivityChromeJson(activity, out));
    return out.str();
}

/// The passes, messages, memory and copies of a run as events.
Result<std::string> eventsOf(RunStore& store, const RecordQuery& query, const StoredPasses& passes)
{
    PW_TRY(const std::vector<RecordedMessage> messages, store.messages(query));
    PW_TRY(const std::vector<MemorySample> memory, store.memory(query));
    PW_TRY(const std::vector<RecordedCopy> copies, store.copies(query));
    return writeRunChromeJson(passes.passes, messages, memory, copies);
}

/// Messages of a run on the clock of the trace that its events were read as, which begins anew.
std::vector<PlacedMessage> placed(std::span<const RecordedMessage> messages,
                                  const StoredPasses& passes, const Trace& trace)
{
    Ticks first = std::numeric_limits<Ticks>::max(), firstRead = first;
    for (const RecordedPass& pass : passes.passes)
        first = std::min(first, pass.start);
    for (const TraceSpan& span : trace.spans)
        if (const SpanLabel* label = trace.labelOf(span);
            label != nullptr && label->role == SpanRole::Pass)
            firstRead = std::min(firstRead, span.start);
    std::vector<PlacedMessage> all;
    for (const RecordedMessage& one : messages)
        all.push_back({one.from.value, one.to.value, one.posted - first + firstRead,
                       one.ended - first + firstRead, one.bytes});
    return all;
}

/// An archive of everything that a kept trace has; of a run of ours, or of an iteration, of its
/// passes.
Result<void> writeArchive(RunStore& store, const RecordQuery& query, const StoredPasses& passes,
                          const std::string& folder)
{
    if (!query.iteration) {
        const Result<StoredTrace> kept = loadStoredTrace(store.path(), query.run);
        if (kept)
            return writeOtf2(kept->trace, kept->lanes, kept->pairs, folder);
        if (kept.error().code != ErrorCode::BadValue)
            return fail(kept.error());
    }
    PW_TRY(const std::string events, eventsOf(store, query, passes));
    PW_TRY(Trace trace, importTraceText(events, "run"));
    const ActivityLanes lanes = activityLanes(trace);
    PW_TRY(const std::vector<RecordedMessage> messages, store.messages(query));
    return writeOtf2(trace, lanes, {}, folder, placed(messages, passes, trace));
}

/// What else a page tells of a run than its schedule: advice, or the job.
Outcome toldPage(RunStore& store, RunNumber number, const Arguments& arguments, Console& console)
{
    if (arguments.text("page") == "advice") {
        PW_TRY(const AdviceSource source, adviceSource(store, number));
        PW_TRY(const Advice advice, adviceOn(source, {}));
        const bool any =
            !advice.changes.empty() && advice.changes.front().what != ChangeKind::Bound;
        PW_TRY(const std::string page,
               advicePage({source, advice, any ? std::optional<std::size_t>(0) : std::nullopt}));
        return putFile(page, arguments, console);
    }
    PW_TRY(const WholeJob job, jobOfStoredRun(store, number));
    if (!job.analysis)
        return wrong(noJobText);
    PW_TRY(const RunDetails details, store.run(number));
    const std::string title =
        details.run.title.empty() ? "Run " + std::to_string(number) : details.run.title;
    PW_TRY(const std::string page, jobPage(job.trace, *job.analysis, title));
    return putFile(page, arguments, console);
}

/// A run's iteration, measured, with what was planned under it.
Outcome runPage(RunStore& store, RunNumber number, const Arguments& arguments, Console& console)
{
    PW_TRY(const StoredIteration shown, iterationOf(store, number, arguments));
    const StoredRun& run = shown.details.run;
    WebPage page;
    page.title = run.title.empty() ? "Run " + std::to_string(run.number) : run.title;
    page.notes = run.notes;
    const std::string name = "iteration " + std::to_string(shown.iteration);
    page.tracks = {{"Measured, " + name, &shown.schedule, &shown.costs, &shown.measured},
                   {"Predicted", &shown.schedule, &shown.costs, &shown.predicted}};
    if (arguments.has("interactive")) {
        Project plan;
        plan.title = page.title;
        plan.notes = page.notes;
        plan.draft = draftOf(shown.schedule);
        setTables(plan, shown.costs);
        const MeasuredLanes lanes{page.tracks.front().title, &shown.schedule, &shown.costs,
                                  &shown.measured};
        PW_TRY(const std::string text, interactivePage(plan, lanes));
        return putFile(text, arguments, console);
    }
    return putFile(writeWebPage(page), arguments, console);
}

/// A run is drawn by the studio's own export alone.
tl::unexpected<Failure> noDrawing(const std::string& target)
{
    return usage("a run becomes chrome-json, table, html, otf2 or svg; in the studio File > Export "
                 "makes a " +
                 target + " of it");
}

/// The options of a run that `convert` has; what others say would be ignored.
tl::expected<void, Failure> refuseOthers(const Arguments& arguments)
{
    const std::vector<Option> own = runFileOptions();
    for (const std::string& name : arguments.names()) {
        const auto isIt = [&name](const Option& option) { return option.name == name; };
        if (name != "to" && name != "store" && name != "interactive" && name != "color" &&
            name != "families" && std::none_of(own.begin(), own.end(), isIt))
            return usage("--" + name + " is for schedules, and " + arguments.words()[0] +
                         " is a run");
    }
    return {};
}

/// The name of --to, else what the end of the file's name says: events where it says nothing.
tl::expected<std::string, Failure> runTarget(const Arguments& arguments)
{
    if (!arguments.has("to")) {
        const auto end = std::filesystem::path(outOf(arguments)).extension();
        if (end == ".csv")
            return "table";
        if (end == ".svg" || end == ".html")
            return end.string().substr(1);
        if (end == ".htm")
            return "html";
        if (isDrawn(end.string().substr(end.empty() ? 0 : 1)))
            return noDrawing(end.string().substr(1));
        return "chrome-json";
    }
    const std::string target = arguments.text("to");
    if (isDrawn(target))
        return noDrawing(target);
    const std::vector<std::string>& known = runTargets();
    if (std::find(known.begin(), known.end(), target) == known.end())
        return usage("--to " + target +
                     " is for schedules; a run becomes chrome-json, table, html, "
                     "otf2 or svg");
    return target;
}

} // namespace

const std::vector<std::string>& runTargets()
{
    static const std::vector<std::string> targets = {"chrome-json", "table", "html", "otf2", "svg"};
    return targets;
}

bool isRun(const std::string& word)
{
    return word == "last" || word.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<Option> runFileOptions()
{
    constexpr const char* section = "Of a run";
    Option iteration = iterationOption();
    iteration.summary = "only this iteration (default: all of them)";
    iteration.section = section;
    Option store = storeOption();
    store.section = section;
    return {std::move(store),
            std::move(iteration),
            {.name = "slices",
             .summary = "as chrome-json: every slice of an imported trace in place of the passes",
             .section = section},
            {.name = "page",
             .kind = ValueKind::Text,
             .placeholder = "WHAT",
             .summary = "as html with --interactive: schedule, its plan to be changed; "
                        "advice, changes ranked with lanes before and after; job, its steps, "
                        "workers, causes and repairs (default: schedule)",
             .section = section,
             .choices = {"schedule", "advice", "job"}}};
}

Outcome convertRun(const Arguments& arguments, Console& console)
{
    PW_DO(refuseOthers(arguments));
    PW_TRY(const std::string target, runTarget(arguments));
    const bool told = arguments.text("page", "schedule") != "schedule";
    if (arguments.has("interactive") && target != "html")
        return usage("--interactive is for web pages, --to html");
    if (told && !arguments.has("interactive"))
        return usage("--page " + arguments.text("page") + " is for web pages with --interactive");
    if (target == "otf2" && outOf(arguments) == "-")
        return usage("--to otf2 needs a folder that is made: as OUT, the second word");
    PW_TRY(RunStore store, storeToRead(arguments));
    PW_TRY(const RunNumber number, runOfWord(store, arguments.words()[0]));
    if (target == "html")
        return told ? toldPage(store, number, arguments, console)
                    : runPage(store, number, arguments, console);
    RecordQuery query{number};
    if (arguments.has("iteration"))
        query.iteration = arguments.whole("iteration", 0);
    PW_TRY(const StoredPasses passes, store.passes(query));
    if (query.iteration && passes.passes.empty())
        return wrong("run " + std::to_string(number) + " has no iteration " +
                     std::to_string(*query.iteration));
    if (target == "otf2") {
        PW_DO(writeArchive(store, query, passes, outOf(arguments)));
        return ExitCode::Good;
    }
    std::string content;
    const bool picture = target == "svg";
    if (picture || arguments.has("slices") || (passes.passes.empty() && target == "chrome-json")) {
        PW_TRY(const RunDetails details, store.run(number));
        Result<std::string> slices = slicesOf(store, number, picture, details.run.title);
        // A run without passes that is not an import is a file without events.
        if (!slices && (picture || arguments.has("slices")))
            return wrong(slices.error());
        content = slices ? std::move(*slices) : writeRunChromeJson({}, {}, {});
    } else if (target == "table") {
        content = writeRunCsv(passes.passes);
    } else {
        PW_TRY(content, eventsOf(store, query, passes));
    }
    return putFile(content, arguments, console);
}

} // namespace pw::app
