// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/fit.h"

#include "app/trace_files.h"
#include "core/base/text.h"

#include <ostream>

namespace pw::app::commands {

namespace {

Outcome run(const Arguments& arguments, Console& console)
{
    const tl::expected<ReadTrace, Failure> read = readTrace(arguments, console);
    if (!read)
        return tl::unexpected<Failure>(read.error());
    const Result<FittedCosts> fitted = fitTrace(read->trace, read->aligned.pipeline);
    if (!fitted)
        return wrong(fitted.error());
    if (arguments.has("json")) {
        console.out << writeCosts(fitted->file);
        return ExitCode::Good;
    }
    const std::string path = arguments.text("output", "costs.json");
    if (const Result<void> saved = saveCosts(fitted->file, path); !saved)
        return wrong(saved.error());
    constexpr double whole = 100;
    const double off = whole * fitted->residual();
    console.out << fitted->file.stages << " stages on " << fitted->file.devices
                << " devices, a message takes " << timeText(fitted->file.link.latency)
                << "\nthe order of the trace: measured " << millisecondText(fitted->measured)
                << ", predicted with these costs " << millisecondText(fitted->predicted) << " ("
                << (off > 0 ? "+" : "") << plainNumber(off, 3) << " %)\nwritten to " << path
                << "; --costs " << path << " reads it\n";
    return ExitCode::Good;
}

std::vector<Option> options()
{
    std::vector<Option> all = ruleOptions();
    all.insert(all.end(),
               {{.name = "output",
                 .kind = ValueKind::Text,
                 .placeholder = "FILE",
                 .summary = "the costs file (default costs.json)"},
                {.name = "json", .summary = "the costs file on standard output, and no file"}});
    return all;
}

} // namespace

Command fit()
{
    Command command;
    command.name = "fit";
    command.summary = "costs from a trace of another program, for simulate and compare";
    command.words = "FILE…";
    command.about =
        "Reads traces as import does, and writes what every kind of pass took on every stage, over "
        "the iterations that count, as a costs file. The time of a message is from the end "
        "of a pass to the start of one that waited for it on another rank.\n"
        "Says first how long the order of the trace itself takes with these costs, beside what was "
        "measured: no other prediction is better than that one. Then simulate and compare answer "
        "what another schedule with as many stages would take, with --costs.";
    command.examples = {"pipewright fit run.trace.json --output fitted.json",
                        "pipewright fit run.trace.json --json"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 100'000;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
