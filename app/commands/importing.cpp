// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/activity_gantt.h"
#include "app/command.h"
#include "app/import_report.h"
#include "app/interrupt.h"
#include "app/job_page.h"
#include "app/progress.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "core/analysis/collectives.h"
#include "core/analysis/trace_holes.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/model/longest_pass.h"
#include "core/reading/events/importer.h"
#include "core/store/keep_trace.h"
#include "core/store/kept_job.h"
#include "core/trace/activity_export.h"
#include "core/trace/propose.h"
#include "core/trace/rules_file.h"

#include <chrono>
#include <filesystem>
#include <ostream>

namespace pw::app::commands {

namespace {

/// Says a few times a second how much is kept.
KeepOn showKept(Console& console)
{
    return [&console,
            last = std::chrono::steady_clock::time_point()](const KeepProgress& progress) mutable {
        constexpr std::chrono::milliseconds often(100);
        constexpr double soonest = 0.02; // of all; before, how much it will be is a guess
        const auto now = std::chrono::steady_clock::now();
        if (now - last < often)
            return true;
        last = now;
        std::string words = "keeping " + byteText(progress.written);
        if (progress.part > soonest)
            words +=
                " of about " +
                byteText(static_cast<Bytes>(static_cast<double>(progress.written) / progress.part));
        showStatus(console.err, words);
        return true;
    };
}

/// Keeps the passes where their order is known, and everything else.
Result<RunNumber> keep(ReadTrace& read, const TraceMessages& messages, const JobAnalysis* job,
                       const Arguments& arguments, Console& console)
{
    const EndAtOnce endAtOnce; // all of it is kept or nothing
    const RecoveredPipeline& pipeline = read.aligned().pipeline;
    const TraceActivity source(read.trace);
    Result<RunNumber> number = keepWholeTrace(
        {read.trace, source, messages.pairs, pipeline.rankOfDevice, keepingJob(job, read.trace)},
        pipeline,
        traceFigures(pipeline, read.aligned().clocks, transfersOf(read.trace, pipeline, messages)),
        arguments.text("store"), arguments.text("title"), showKept(console));
    showStatus(console.err, {});
    return number;
}

/// The lanes as text, where asked for or where nothing else can be drawn, and as a picture.
Result<std::string> lanesOf(ReadTrace& read, const Arguments& arguments, const Screen& screen)
{
    const bool text =
        !arguments.has("json") &&
        (arguments.has("lanes") || (!read.aligned().pipeline.schedule && !read.trace.log.any()));
    if (!text && !arguments.has("svg"))
        return std::string();
    const TraceActivity source(read.trace);
    if (arguments.has("svg")) {
        ActivityFigure figure;
        figure.title = arguments.text("title");
        PW_TRY(const std::string picture, writeActivitySvg(source, figure));
        PW_DO(writeFile(arguments.text("svg"), picture));
    }
    if (!text)
        return std::string();
    Result<std::string> lanes = activityGantt(source, screen);
    return lanes && !lanes->empty() ? "\n" + *lanes : lanes;
}

/// Examples of the rules file, and those of the command line, which are kept there if asked for.
tl::expected<std::vector<PassExample>, Failure> examplesOf(const Trace& trace,
                                                           const Arguments& arguments)
{
    std::vector<PassExample> examples;
    if (arguments.has("rules")) {
        PW_TRY(std::vector<PassExample> kept, keptPassExamples(arguments.text("rules")));
        examples = std::move(kept);
    }
    for (const std::string& text : arguments.texts("example")) {
        const Result<ExamplePlace> place = ExamplePlace::parse(text);
        if (!place)
            return usage("--example " + quotedWord(text) + ": " + place.error().message);
        PW_TRY(PassExample example, exampleAt(trace, *place));
        examples.push_back(std::move(example));
    }
    if (arguments.has("keep-examples"))
        PW_DO(keepPassExamples(arguments.text("keep-examples"), examples));
    return examples;
}

/// What passes nobody labelled may be; those that are sure enough become passes where asked for.
tl::expected<PassProposal, Failure> proposalOf(ReadTrace& read, const Arguments& arguments)
{
    PW_TRY(const std::vector<PassExample> examples, examplesOf(read.trace, arguments));
    ProposeOptions options;
    options.examples = examples;
    PassProposal proposal = propose(read.trace, options);
    if (!arguments.has("accept"))
        return proposal;
    constexpr double percent = 100;
    if (acceptProposal(read.trace, proposal, arguments.number("accept", percent) / percent) > 0)
        read.replicas = recoverAllAligned(read.trace);
    return proposal;
}

tl::expected<void, Failure> writeJobPage(const Trace& trace, const std::optional<JobAnalysis>& job,
                                         const Arguments& arguments)
{
    if (!job)
        return wrong(noJobText);
    const std::filesystem::path first(arguments.words().front());
    const std::string title =
        first.has_filename() ? first.filename().string() : first.parent_path().filename().string();
    PW_TRY(const std::string page, jobPage(trace, *job, arguments.text("title", title)));
    PW_DO(writeFile(arguments.text("html"), page));
    return {};
}

Outcome runImporting(const Arguments& arguments, Console& console)
{
    PW_TRY(ReadTrace read, readTrace(arguments, console));
    PW_TRY(const PassProposal proposal, proposalOf(read, arguments));
    const RecoveredPipeline& pipeline = read.aligned().pipeline;
    ImportReport report(read.trace, pipeline);
    report.proposed(proposal, arguments.has("propose"));
    report.ruled(read.rules);
    report.aligned(read.aligned().clocks);
    const std::vector<TraceHole> holes = holesOf(read.trace, pipeline);
    report.holes(holes);
    // Of digests the work is sums, and no stretches that could be told apart.
    DeviceFigures activity;
    if (read.trace.sums.empty())
        activity = deviceFigures(read.trace, arguments.has("whole"));
    else
        activity.collectives = matchCollectives(read.trace);
    report.activity(activity);
    if (arguments.has("gaps"))
        report.gaps(longestGaps(read.trace, report.messages().pairs,
                                static_cast<std::size_t>(arguments.whole("gaps", 1))));
    const std::optional<JobAnalysis> job = analyseJob(read.trace, read.replicas);
    report.ofJob(job ? &*job : nullptr, read.runs);
    if (arguments.has("html"))
        PW_DO(writeJobPage(read.trace, job, arguments));
    if (pipeline.schedule) {
        const Ticks hop = ticksFromMs(arguments.number("comm", 0));
        PW_DO(report.replay(hop));
    }
    markHoles(read.trace, holes);
    if (arguments.has("store")) {
        PW_TRY(const RunNumber number,
               keep(read, report.messages(), job ? &*job : nullptr, arguments, console));
        report.stored(number);
    }
    PW_TRY(const std::string lanes, lanesOf(read, arguments, console.screen));
    report.lanes(lanes);
    console.out << (arguments.has("json")
                        ? report.json()
                        : fitted(report.text(console.screen), console.screen.width));
    return ExitCode::Good;
}

std::vector<Option> optionsOfImporting()
{
    std::vector<Option> all = traceOptions();
    all.insert(
        all.end(),
        {{.name = "whole",
          .summary = "device activity of the last step of the profiler too, which is left "
                     "out otherwise"},
         {.name = "gaps",
          .kind = ValueKind::Whole,
          .placeholder = "N",
          .summary = "lists the N longest gaps of every device, each with the reason",
          .minimum = 1,
          .maximum = 100'000},
         {.name = "propose",
          .summary = "shows every pass that is proposed where none is labelled, with the evidence"},
         {.name = "example",
          .kind = ValueKind::Text,
          .placeholder = "PASS",
          .summary = "a stretch that is a pass, as KIND STAGE=RANK:FROM..TO in ms; others like it "
                     "follow, as with F0=0:324.5..328.1; may be repeated",
          .repeats = true},
         {.name = "keep-examples",
          .kind = ValueKind::Text,
          .placeholder = "FILE",
          .summary = "rules file that keeps the examples, for --rules"},
         {.name = "accept",
          .kind = ValueKind::Number,
          .placeholder = "PERCENT",
          .summary = "accepts proposals with at least this confidence as passes, with guessed "
                     "times",
          .minimum = 0,
          .maximum = 100},
         {.name = "comm",
          .kind = ValueKind::Number,
          .placeholder = "MS",
          .summary = "time of a message when the order found is run again (default 0)",
          .minimum = 0,
          .maximum = longestPassMs,
          .formerly = {{"hop"}}},
         {.name = "store",
          .kind = ValueKind::Text,
          .placeholder = "FILE",
          .summary =
              "store that keeps the passes and every slice as a run (default: nothing is kept)"},
         {.name = "title",
          .kind = ValueKind::Text,
          .placeholder = "TEXT",
          .summary =
              "title of that run (default: the name of the file, or of the folder of several)"},
         {.name = "lanes",
          .summary = "draws every stream and thread as a line (shown anyway where no pass is "
                     "labelled)"},
         {.name = "svg",
          .kind = ValueKind::Text,
          .placeholder = "FILE",
          .summary = "writes every stream and thread with its nested slices as a picture"},
         {.name = "html",
          .kind = ValueKind::Text,
          .placeholder = "FILE",
          .summary = "writes a web page of the job: its steps, a map of its workers, the lanes of "
                     "the one that is chosen, causes and repairs"},
         {.name = "json", .summary = "what was found as JSON"}});
    return all;
}

} // namespace

Command importing()
{
    Command command;
    command.name = "import";
    command.group = CommandGroup::Traces;
    command.summary = "a trace of another program: its pipeline, its schedule and its idle time";
    command.words = "FILE…";
    static const std::string about =
        "Reads " + importerTitles() +
        ". They are recognised by their content, plain, .gz or .zst, or in a .zip. Several files, "
        "or a folder, become one trace; a file is a rank by what it says or by its name (rank3…), "
        "or holds all ranks. Damaged files are repaired where possible, and each repair is listed "
        "with its byte.\n"
        "Passes are found by their labels: PP: with PyTorch's action text, Forward 3 and Backward "
        "3, forward and backward with arguments, F3.1.0, and Paddle's in its own files. Other "
        "names are read by --rule: a pattern of text, * for any text, and the fields {kind}, "
        "{stage}, {micro-batch}, {chunk}, {rank}, {segment}, {iteration} and {replica}; "
        "{kind:fprop=F,bprop=BW} says which words mean which kind, and {kind=F} that all are of "
        "one. A rule takes precedence over all labels except PP:. Then the placement, the order "
        "of every rank and the family that makes it are found, as far as they can be known; the "
        "rest is said to be unknown. The order is also run again with the times measured and "
        "links that take --hop. A send and its receive are split into waiting, until the later "
        "side has started, and transfer.\n"
        "Where devices ran, their time is split into compute, communication, copies and idle, "
        "what was hidden and why nothing ran; kernels are summed up by name. If there are several "
        "steps of the profiler, what was launched in the last one is left out, unless --whole is "
        "given. Communication is recognised by the names of NCCL, RCCL, NVSHMEM, DeepEP and "
        "others; --kernel says what further kernels do. With --gaps the longest gaps of every "
        "device are listed, each with the reason: the host, a launch, another stream, or another "
        "rank. A trace without labelled passes is shown as lanes.\n"
        "With --store the passes, and every slice of every stream and thread, become a run, which "
        "show, diff and export take.";
    command.about = about;
    command.examples = {"pipewright import run.trace.json",
                        "pipewright import run.trace.json --json --comm 0.5",
                        "pipewright import run.trace.json --gaps 10",
                        "pipewright import run.trace.json --rule '{kind}_mb{micro-batch}'"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 100'000;
    command.options = optionsOfImporting;
    command.run = runImporting;
    return command;
}

} // namespace pw::app::commands
