// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/import_report.h"
#include "core/store/keep_trace.h"
#include "core/trace/rules_file.h"

#include <ostream>

namespace pw::app::commands {

namespace {

/// The rules of the command line, before those of a file.
tl::expected<std::vector<NameRule>, Failure> rulesOf(const Arguments& arguments)
{
    std::vector<NameRule> rules;
    for (const std::string& pattern : arguments.texts("rule")) {
        Result<NameRule> rule = NameRule::parse(pattern);
        if (!rule)
            return usage("--rule " + quotedWord(pattern) + ", " + rule.error().message);
        rules.push_back(std::move(*rule));
    }
    if (!arguments.has("rules"))
        return rules;
    const Result<std::vector<NameRule>> more = loadNameRules(arguments.text("rules"));
    if (!more)
        return wrong(more.error());
    rules.insert(rules.end(), more->begin(), more->end());
    return rules;
}

Outcome run(const Arguments& arguments, Console& console)
{
    const auto rules = rulesOf(arguments);
    if (!rules)
        return tl::unexpected<Failure>(rules.error());
    const Result<Trace> trace = importWithProgress(arguments.words(), console, *rules);
    if (!trace)
        return wrong(trace.error());
    RecoveredPipeline pipeline = recover(*trace);
    const AlignedClocks clocks = alignClocks(*trace, pipeline);
    if (pipeline.schedule)
        shiftClocks(pipeline, clocks);
    ImportReport report(*trace, pipeline);
    report.ruled(*rules);
    report.aligned(clocks);
    if (pipeline.schedule) {
        const Ticks hop = ticksFromMs(arguments.number("hop", 0));
        if (const Result<void> replayed = report.replay(hop); !replayed)
            return wrong(replayed.error());
    }
    if (arguments.has("store")) {
        const Result<RunNumber> number =
            keepTrace(*trace, pipeline, arguments.text("store"), arguments.text("title"));
        if (!number)
            return wrong(number.error());
        report.stored(*number);
    }
    console.out << (arguments.has("json") ? report.json() : report.text(console.screen));
    return ExitCode::Good;
}

std::vector<Option> options()
{
    return {{.name = "rule",
             .kind = ValueKind::Text,
             .placeholder = "PATTERN",
             .summary = "reads foreign names, as in '{kind} mb{micro-batch} stage{stage}'; may be "
                        "repeated",
             .repeats = true},
            {.name = "rules",
             .kind = ValueKind::Text,
             .placeholder = "FILE",
             .summary = "file of such rules, which the studio keeps in its configuration"},
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
            {.name = "json", .summary = "what was found as JSON"}};
}

} // namespace

Command importing()
{
    Command command;
    command.name = "import";
    command.summary = "a trace of another program: its pipeline, its schedule and its idle time";
    command.words = "FILE…";
    command.about =
        "Reads Chrome trace events, plain or .gz, as PyTorch's profiler (Kineto), Megatron's "
        "tracer and Pipewright's own export and convert write them, and SQLite exports of Nsight "
        "Systems (nsys export --type sqlite). Several files, or a folder, become one trace; a "
        "file is a rank by its metadata or its name (rank3…), or holds all ranks as processes or "
        "devices. Damaged JSON is mended where it can be, and each repair is listed "
        "with its byte.\n"
        "Passes are found by their labels: PP: with PyTorch's action text, Forward 3 and Backward "
        "3, forward and backward with arguments, F3.1.0. Other names are read by --rule: a pattern "
        "of "
        "text, * for any text, and the fields {kind}, {stage}, {micro-batch}, {chunk}, {rank}, "
        "{segment} and {iteration}; {kind:fprop=F,bprop=BW} says which words mean which kind, and "
        "{kind=F} that all are of one. A rule comes before all labels but PP:. Then the placement, "
        "the order of every "
        "rank and the family that makes it are found, as far as they can be known; the rest is "
        "said to be unknown. The order is also run again with the times measured and links that "
        "take --hop. A send and its receive are split into waiting, until the later side has "
        "started, and transfer.\n"
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
