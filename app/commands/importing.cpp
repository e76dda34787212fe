// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/import_report.h"
#include "app/trace_files.h"
#include "core/store/keep_trace.h"

#include <ostream>

namespace pw::app::commands {

namespace {

Outcome run(const Arguments& arguments, Console& console)
{
    const tl::expected<ReadTrace, Failure> read = readTrace(arguments, console);
    if (!read)
        return tl::unexpected<Failure>(read.error());
    const RecoveredPipeline& pipeline = read->aligned.pipeline;
    ImportReport report(read->trace, pipeline);
    report.ruled(read->rules);
    report.aligned(read->aligned.clocks);
    const DeviceFigures activity = deviceFigures(read->trace, arguments.has("whole"));
    report.activity(activity);
    if (pipeline.schedule) {
        const Ticks hop = ticksFromMs(arguments.number("hop", 0));
        if (const Result<void> replayed = report.replay(hop); !replayed)
            return wrong(replayed.error());
    }
    if (arguments.has("store")) {
        const Result<RunNumber> number =
            keepTrace(read->trace, pipeline,
                      traceFigures(pipeline, read->aligned.clocks,
                                   transfersOf(read->trace, pipeline, report.messages())),
                      arguments.text("store"), arguments.text("title"));
        if (!number)
            return wrong(number.error());
        report.stored(*number);
    }
    console.out << (arguments.has("json") ? report.json() : report.text(console.screen));
    return ExitCode::Good;
}

std::vector<Option> options()
{
    std::vector<Option> all = ruleOptions();
    all.insert(all.end(),
               {{.name = "whole",
                 .summary = "device activity of the last step of the profiler too, which is left "
                            "out otherwise"},
                {.name = "hop",
                 .kind = ValueKind::Number,
                 .placeholder = "MS",
                 .summary = "time of a message where the order found is run again (default 0)",
                 .minimum = 0,
                 .maximum = 1e6},
                {.name = "store",
                 .kind = ValueKind::Text,
                 .placeholder = "FILE",
                 .summary = "store that keeps the passes as a run (default: nothing is kept)"},
                {.name = "title",
                 .kind = ValueKind::Text,
                 .placeholder = "TEXT",
                 .summary = "title of that run (default: the name of the first file)"},
                {.name = "json", .summary = "what was found as JSON"}});
    return all;
}

} // namespace

Command importing()
{
    Command command;
    command.name = "import";
    command.summary = "a trace of another program: its pipeline, its schedule and its idle time";
    command.words = "FILE…";
    command.about =
        "Reads Chrome trace events as PyTorch's profiler (Kineto), Megatron's tracer and others "
        "write them; SQLite exports of Nsight Systems (nsys export --type sqlite); Megatron's "
        "pipeline timers and its log with timers of all ranks; Paddle's pipeline profiles and "
        "logs; and Pipewright's own wire, export and convert. They are recognised by their "
        "content, plain or .gz. Several files, or a folder, become one trace; a file is a rank by "
        "what it says or by its name (rank3…), or holds all ranks. Damaged files are mended where "
        "they can be, and each repair is listed with its byte.\n"
        "Passes are found by their labels: PP: with PyTorch's action text, Forward 3 and Backward "
        "3, forward and backward with arguments, F3.1.0, and Paddle's in its own files. Other "
        "names are read by --rule: a pattern of text, * for any text, and the fields {kind}, "
        "{stage}, {micro-batch}, {chunk}, {rank}, {segment} and {iteration}; "
        "{kind:fprop=F,bprop=BW} says which words mean which kind, and {kind=F} that all are of "
        "one. A rule comes before all labels but PP:. Then the placement, the order of every rank "
        "and the family that makes it are found, as far as they can be known; the rest is said to "
        "be unknown. The order is also run again with the times measured and links that take "
        "--hop. A send and its receive are split into waiting, until the later side has started, "
        "and transfer.\n"
        "With --store the passes become a run, which show, diff and export take.";
    command.examples = {"pipewright import run.trace.json",
                        "pipewright import run.trace.json --json --hop 0.5",
                        "pipewright import run.trace.json --rule '{kind}_mb{micro-batch}'"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 100'000;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
