// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/advice_page.h"
#include "app/file_options.h"
#include "app/job_page.h"
#include "app/stored_run.h"
#include "app/studio_program.h"
#include "app/study.h"
#include "app/study_files.h"
#include "app/web_application.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/web_page.h"
#include "core/lesson/lesson.h"
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

namespace pw::app::commands {

namespace {

/// The file that is written: the second word, or that of --output.
std::string targetOf(const Arguments& arguments)
{
    return arguments.words().size() > 1 ? arguments.words()[1] : arguments.text("output", "-");
}

/// What is asked for, else what the name of the file says.
std::string formatOf(const Arguments& arguments)
{
    for (const char* option : {"to", "format"}) {
        if (arguments.has(option))
            return arguments.text(option, {});
    }
    const auto end = std::filesystem::path(targetOf(arguments)).extension();
    for (const char* known : {".csv", ".svg", ".pdf", ".png", ".gif", ".mp4"})
        if (end == known)
            return end.string().substr(1);
    return end == ".html" || end == ".htm" ? "html" : "chrome";
}

Outcome put(const std::string& content, const Arguments& arguments, Console& console)
{
    const std::string target = targetOf(arguments);
    if (target == "-") {
        console.out << content;
        return ExitCode::Good;
    }
    PW_DO(writeFile(target, content));
    return ExitCode::Good;
}

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
        return put(page, arguments, console);
    }
    PW_TRY(const WholeJob job, jobOfStoredRun(store, number));
    if (!job.analysis)
        return wrong(noJobText);
    PW_TRY(const RunDetails details, store.run(number));
    const std::string title =
        details.run.title.empty() ? "Run " + std::to_string(number) : details.run.title;
    PW_TRY(const std::string page, jobPage(job.trace, *job.analysis, title));
    return put(page, arguments, console);
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
        const MeasuredLanes measured{page.tracks.front().title, &shown.schedule, &shown.costs,
                                     &shown.measured};
        PW_TRY(const std::string text, interactivePage(plan, measured));
        return put(text, arguments, console);
    }
    return put(writeWebPage(page), arguments, console);
}

/// The schedule of a family as it comes.
Outcome familyPage(const Family& family, const Arguments& arguments, Console& console)
{
    PW_TRY(const Study study, studyOf(family, arguments));
    if (arguments.has("interactive")) {
        PW_TRY(const std::string page, interactivePage(projectOf(study)));
        return put(page, arguments, console);
    }
    const Costs& costs = study.costs.costs;
    PW_TRY(const SimResult result, simulate(study.schedule, costs));
    WebPage page;
    page.title = study.title;
    page.tracks = {{"Schedule", &study.schedule, &costs, &result, nullptr}};
    return put(writeWebPage(page), arguments, console);
}

/// The schedule of a file.
Outcome filePage(const std::string& path, const Arguments& arguments, Console& console)
{
    PW_TRY(const ScheduleFile file, readScheduleFile(path, arguments));
    if (!file.unreadable.empty() || !file.problems.empty())
        return wrong(problemsText(path, file));
    if (arguments.has("interactive")) {
        Project project = file.project;
        if (project.title.empty())
            project.title = std::filesystem::path(path).filename().string();
        PW_TRY(const std::string page, interactivePage(project));
        return put(page, arguments, console);
    }
    PW_TRY(const Schedule schedule, scheduleOf(file.project));
    const Costs costs = costsOf(file.project);
    PW_TRY(const SimResult result, simulate(schedule, costs));
    WebPage page;
    page.title = file.project.title.empty() ? std::filesystem::path(path).filename().string()
                                            : file.project.title;
    page.notes = file.project.notes;
    page.tracks = {{"Schedule", &schedule, &costs, &result, &file.project.annotations}};
    return put(writeWebPage(page), arguments, console);
}

/// Formats that the studio draws, without a display.
bool isDrawn(const std::string& format)
{
    return format == "pdf" || format == "png" || format == "gif" || format == "mp4";
}

/// Whether a word names a lesson: one that is part of the program, or a file of one.
bool isLesson(const std::string& word)
{
    if (shippedLesson(word))
        return true;
    std::error_code unreadable;
    return std::filesystem::is_regular_file(word, unreadable) && loadLesson(word).has_value();
}

/// A file's name that no program takes for an option.
std::string asOperand(const std::string& name)
{
    return name.rfind('-', 0) == 0 ? "./" + name : name;
}

/// A schedule as a figure or a film, a lesson as a handout.
Outcome drawn(const std::string& word, const std::string& format, const Arguments& arguments)
{
    const std::string target = targetOf(arguments);
    if (target == "-")
        return usage("--to " + format + " needs a file whose name ends in ." + format +
                     ": as OUT, the second word, or with --output");
    if (std::filesystem::path(target).extension() != "." + format)
        return usage("--to " + format + " and the name " + quotedWord(target) +
                     " are not the same: let it end in ." + format);
    if (word == "-")
        return usage("the studio, which draws a " + format + ", reads a file: give its name");
    const bool lesson = isLesson(word);
    if (lesson && format != "pdf")
        return usage("a lesson is exported as a handout alone, --to pdf");
    const bool film = format == "gif" || format == "mp4";
    const char* how = lesson ? "--handout" : film ? "--film" : "--render";
    std::vector<std::string> words = {how, asOperand(word), asOperand(target)};
    if (!lesson && !film)
        words.emplace_back("--charts");
    PW_DO(runStudio(words, "a " + format));
    return ExitCode::Good;
}

/// Whether a word is a file and no run.
bool isFile(const std::string& word)
{
    const bool number = word.find_first_not_of("0123456789") == std::string::npos;
    return word == "-" || (!number && word != "last");
}

/// A schedule as a picture or a page is asked for with a place, a lesson with a handout: what to
/// type.
tl::unexpected<Failure> otherFormat(const std::string& word)
{
    if (isLesson(word))
        return usage("a lesson is exported as a handout: pipewright export " + word + " " +
                     std::filesystem::path(word).stem().string() +
                     ".pdf; as a page to take it on: pipewright lesson export " + word +
                     " --to html");
    return usage("a schedule is exported --to html, pdf, png, gif or mp4; pipewright "
                 "convert writes its other formats");
}

Outcome runExporting(const Arguments& arguments, Console& console)
{
    if (arguments.words().size() > 1 && arguments.has("output"))
        return usage("the file that is written is given twice, as a word and with --output");
    const std::string format = formatOf(arguments);
    if (arguments.has("interactive") && format != "html")
        return usage("--interactive is for web pages, --to html");
    const bool told = arguments.text("page", "schedule") != "schedule";
    if (told && !arguments.has("interactive"))
        return usage("--page " + arguments.text("page") + " is for web pages with --interactive");
    if (told && isFile(arguments.words()[0]))
        return usage("--page is for runs; of a trace, `pipewright advise TRACE --html FILE` and "
                     "`pipewright import TRACE --html FILE` write the pages");
    if (isFile(arguments.words()[0]) && isDrawn(format))
        return drawn(arguments.words()[0], format, arguments);
    if (isDrawn(format))
        return usage(
            "a run is exported as chrome, csv, html, otf2 or svg; in the studio File > Export "
            "makes a " +
            format + " of it");
    if (isFile(arguments.words()[0])) {
        if (format != "html" || isLesson(arguments.words()[0]))
            return otherFormat(arguments.words()[0]);
        if (const Result<const Family*> family = familyOfWord(arguments.words()[0]))
            return familyPage(**family, arguments, console);
        return filePage(arguments.words()[0], arguments, console);
    }
    if (format == "otf2" && targetOf(arguments) == "-")
        return usage("--to otf2 needs a folder that is made: as OUT, the second word, or with "
                     "--output");
    PW_TRY(RunStore store, storeToRead(arguments));
    PW_TRY(const RunNumber number, runOfWord(store, arguments.words()[0]));
    if (format == "html" && arguments.text("page", "schedule") != "schedule")
        return toldPage(store, number, arguments, console);
    if (format == "html")
        return runPage(store, number, arguments, console);
    RecordQuery query{number};
    if (arguments.has("iteration"))
        query.iteration = arguments.whole("iteration", 0);
    PW_TRY(const StoredPasses passes, store.passes(query));
    if (query.iteration && passes.passes.empty())
        return wrong("run " + std::to_string(number) + " has no iteration " +
                     std::to_string(*query.iteration));
    if (format == "otf2") {
        PW_DO(writeArchive(store, query, passes, targetOf(arguments)));
        return ExitCode::Good;
    }
    std::string content;
    const bool picture = format == "svg";
    if (picture || arguments.has("slices") || (passes.passes.empty() && format == "chrome")) {
        PW_TRY(const RunDetails details, store.run(number));
        Result<std::string> slices = slicesOf(store, number, picture, details.run.title);
        // A run without passes that is not an import is a file without events.
        if (!slices && (picture || arguments.has("slices")))
            return wrong(slices.error());
        content = slices ? std::move(*slices) : writeRunChromeJson({}, {}, {});
    } else if (format == "csv") {
        content = writeRunCsv(passes.passes);
    } else {
        PW_TRY(content, eventsOf(store, query, passes));
    }
    return put(content, arguments, console);
}

std::vector<Option> optionsOfExporting()
{
    Option iteration = iterationOption();
    iteration.summary = "only this iteration (default: all of them)";
    std::vector<Option> all = {
        storeOption(),
        iteration,
        {.name = "to",
         .kind = ValueKind::Text,
         .placeholder = "FORMAT",
         .summary = "as --format",
         .choices = {"chrome", "csv", "gif", "html", "mp4", "otf2", "pdf", "png", "svg"}},
        {.name = "format",
         .kind = ValueKind::Text,
         .placeholder = "FORMAT",
         .summary = "chrome: a trace for Perfetto; csv: one row per pass; html: a web page that "
                    "plays; otf2: an archive for Vampir, in a new folder; svg: a picture of every "
                    "stream and thread of an imported trace; for a "
                    "schedule pdf or png: a figure, gif or mp4: an animation; for a lesson pdf: a "
                    "handout (default: by the end of FILE's name, otherwise chrome)",
         .choices = {"chrome", "csv", "gif", "html", "mp4", "otf2", "pdf", "png", "svg"}},
        {.name = "slices",
         .summary = "as chrome: every slice of an imported trace in place of the passes"},
        {.name = "interactive",
         .summary = "as html: a page on which the schedule can be changed and compared; of a run "
                    "its plan, beside what was measured"},
        {.name = "page",
         .kind = ValueKind::Text,
         .placeholder = "WHAT",
         .summary = "as html with --interactive, of a run: schedule, its plan to be changed; "
                    "advice, changes ranked with lanes before and after; job, its steps, workers, "
                    "causes and repairs (default: schedule)",
         .choices = {"schedule", "advice", "job"}},
        {.name = "output",
         .kind = ValueKind::Text,
         .placeholder = "FILE",
         .summary = "file that is written (default: standard output)"}};
    const std::vector<Option> files = fileOptions();
    all.insert(all.end(), files.begin(), files.end());
    return all;
}

} // namespace

Command exporting()
{
    Command command;
    command.name = "export";
    command.group = CommandGroup::Files;
    command.summary = "a run as a file for other programs; a run or a schedule as a web page";
    command.words = "RUN|FILE|FAMILY|LESSON [OUT]";
    command.about =
        "Writes the passes, messages and memory of a run as Chrome trace events, which Perfetto "
        "and chrome://tracing open, or its passes as a table. Times are those measured. With --to "
        "otf2 writes a folder with an archive for Vampir and other tools of OTF2.\n"
        "With --to html writes one web page with everything in it, to send around: the timeline "
        "to move, zoom, hover and play, memory and idle time, notes. It loads nothing from "
        "anywhere. For a run it shows one iteration, measured and predicted; for a schedule file, "
        "its simulation. With --interactive the page has the simulator in it: passes can be "
        "dragged, times changed, families compared. It needs the page that the preset web builds.\n"
        "A schedule can also become a figure (pdf, png) or an animation (gif, mp4), and a lesson, "
        "such as 05-1f1b, a handout (pdf). The program pipewright-studio draws these, beside this "
        "one or on the path; it needs no display. An MP4 also needs ffmpeg.";
    command.examples = {"pipewright export last --output run.trace.json",
                        "pipewright export last --output run.csv",
                        "pipewright export last --output lanes.svg",
                        "pipewright export last job --to otf2",
                        "pipewright export 1 --format csv --iteration 0",
                        "pipewright export samples/05-zb-v.pipewright.json --to html --output "
                        "zb-v.html"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 2;
    command.options = optionsOfExporting;
    command.run = runExporting;
    return command;
}

} // namespace pw::app::commands
