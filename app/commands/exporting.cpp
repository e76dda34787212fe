// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/stored_run.h"
#include "core/io/file_problem.h"
#include "core/trace/run_export.h"

#include <filesystem>
#include <ostream>

namespace pw::app::commands {

namespace {

/// What is asked for, else what the name of the file says.
bool asTable(const Arguments& arguments)
{
    if (arguments.has("format"))
        return arguments.text("format", {}) == "csv";
    return std::filesystem::path(arguments.text("output", "-")).extension() == ".csv";
}

Outcome run(const Arguments& arguments, Console& console)
{
    tl::expected<RunStore, Failure> store = storeToRead(arguments);
    if (!store)
        return tl::unexpected<Failure>(store.error());
    const tl::expected<RunNumber, Failure> number = runOfWord(*store, arguments.words()[0]);
    if (!number)
        return tl::unexpected<Failure>(number.error());
    RecordQuery query{*number};
    if (arguments.has("iteration"))
        query.iteration = arguments.whole("iteration", 0);
    const Result<StoredPasses> passes = store->passes(query);
    if (!passes)
        return wrong(passes.error());
    std::string content;
    if (asTable(arguments)) {
        content = writeRunCsv(passes->passes);
    } else {
        const Result<std::vector<RecordedMessage>> messages = store->messages(query);
        if (!messages)
            return wrong(messages.error());
        const Result<std::vector<MemorySample>> memory = store->memory(query);
        if (!memory)
            return wrong(memory.error());
        content = writeRunChromeJson(passes->passes, *messages, *memory);
    }
    const std::string target = arguments.text("output", "-");
    if (target == "-") {
        console.out << content;
        return ExitCode::Good;
    }
    if (const Result<void> written = writeFile(target, content); !written)
        return wrong(written.error());
    return ExitCode::Good;
}

std::vector<Option> options()
{
    Option iteration = iterationOption();
    iteration.summary = "one iteration alone (default: all of them)";
    return {storeOption(),
            iteration,
            {.name = "format",
             .kind = ValueKind::Text,
             .placeholder = "FORMAT",
             .summary =
                 "chrome: a trace for Perfetto; csv: a row a pass (default: by the end of FILE's "
                 "name, else chrome)",
             .choices = {"chrome", "csv"}},
            {.name = "output",
             .kind = ValueKind::Text,
             .placeholder = "FILE",
             .summary = "file that is written (default: standard output)"}};
}

} // namespace

Command exporting()
{
    Command command;
    command.name = "export";
    command.summary = "a run as a file for other programs";
    command.words = "RUN";
    command.about =
        "Writes the passes, messages and memory of a run as Chrome trace events, which Perfetto "
        "and chrome://tracing open, or its passes as a table. Times are those measured.";
    command.examples = {"pipewright export last --output run.trace.json",
                        "pipewright export last --output run.csv",
                        "pipewright export 1 --format csv --iteration 0"};
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
