// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/stored_run.h"
#include "core/io/file_problem.h"
#include "core/store/activity_store.h"
#include "core/trace/activity_export.h"
#include "core/trace/run_export.h"

#include <filesystem>
#include <ostream>
#include <sstream>

namespace pw::app::commands {

namespace {

/// What is asked for, else what the name of the file says.
bool asTable(const Arguments& arguments)
{
    if (arguments.has("format"))
        return arguments.text("format", {}) == "csv";
    return std::filesystem::path(arguments.text("output", "-")).extension() == ".csv";
}

/// The streams and threads of an imported trace, as a picture or as events.
Result<std::string> slicesOf(const RunStore& store, RunNumber run, bool picture,
                             const std::string& title)
{
    const Result<StoredActivity> activity = StoredActivity::open(store.path(), run);
    if (!activity)
        return fail(activity.error());
    if (activity->lanes().empty())
        return fail(ErrorCode::BadValue, "run " + std::to_string(run) +
                                             " has no streams and threads: it is no imported "
                                             "trace, or was kept by an older Pipewright");
    if (picture) {
        ActivityFigure figure;
        figure.title = title;
        return writeActivitySvg(*activity, figure);
    }
    std::ostringstream out;
    if (const Result<void> written = writeActivityChromeJson(*activity, out); !written)
        return fail(written.error());
    return out.str();
}

bool asPicture(const Arguments& arguments)
{
    if (arguments.has("format"))
        return arguments.text("format", {}) == "svg";
    return std::filesystem::path(arguments.text("output", "-")).extension() == ".svg";
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
    const bool picture = asPicture(arguments);
    if (picture || arguments.has("slices") || (passes->passes.empty() && !asTable(arguments))) {
        const Result<RunDetails> details = store->run(*number);
        if (!details)
            return wrong(details.error());
        Result<std::string> slices = slicesOf(*store, *number, picture, details->run.title);
        // A run without passes that is no import is a file without events.
        if (!slices && (picture || arguments.has("slices")))
            return wrong(slices.error());
        content = slices ? std::move(*slices) : writeRunChromeJson({}, {}, {});
    } else if (asTable(arguments)) {
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
                 "chrome: a trace for Perfetto; csv: a row a pass; svg: a picture of every stream "
                 "and thread of an imported trace (default: by the end of FILE's name, else "
                 "chrome)",
             .choices = {"chrome", "csv", "svg"}},
            {.name = "slices",
             .summary = "as chrome: every slice of an imported trace in place of the passes"},
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
                        "pipewright export last --output lanes.svg",
                        "pipewright export 1 --format csv --iteration 0"};
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
