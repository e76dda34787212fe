// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/trace_files.h"

#include "app/interrupt.h"
#include "app/progress.h"
#include "core/base/try.h"
#include "core/reading/copies.h"
#include "core/reading/import_trace.h"
#include "core/trace/rules_file.h"

#include <ostream>

namespace pw::app {

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
    PW_TRY(const std::vector<NameRule> more, loadNameRules(arguments.text("rules")));
    rules.insert(rules.end(), more.begin(), more.end());
    return rules;
}

tl::expected<std::vector<KernelRule>, Failure> kernelRulesOf(const Arguments& arguments)
{
    std::vector<KernelRule> rules;
    for (const std::string& text : arguments.texts("kernel")) {
        Result<KernelRule> rule = KernelRule::parse(text);
        if (!rule)
            return usage("--kernel " + quotedWord(text) + ": " + rule.error().message);
        rules.push_back(std::move(*rule));
    }
    return rules;
}

} // namespace

std::vector<Option> readingOptions()
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
            {.name = "kernel",
             .kind = ValueKind::Text,
             .placeholder = "KIND=PATTERN",
             .summary = "kernels of these names are compute, communication, memory or other, as in "
                        "'communication=*exchange*'; may be repeated",
             .repeats = true}};
}

std::vector<Option> traceOptions()
{
    std::vector<Option> all = readingOptions();
    const std::vector<Option> which = {
        {.name = "run",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "of several runs in the files the N-th, from 0 (default)",
         .minimum = 0,
         .maximum = 65'535},
        {.name = "replica",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "of several replicas of the pipeline the N-th, from 0 (default)",
         .minimum = 0,
         .maximum = 65'535}};
    all.insert(all.end(), which.begin(), which.end());
    return all;
}

tl::expected<ImportOptions, Failure> importOptions(const Arguments& arguments)
{
    ImportOptions options;
    PW_TRY(options.rules, rulesOf(arguments));
    PW_TRY(options.kernels, kernelRulesOf(arguments));
    return options;
}

tl::expected<ReadTrace, Failure> readTrace(const Arguments& arguments, Console& console)
{
    return readTrace(arguments.words(), arguments, console);
}

tl::expected<ReadTrace, Failure> readTrace(const std::vector<std::string>& files,
                                           const Arguments& arguments, Console& console)
{
    PW_TRY(ImportOptions options, importOptions(arguments));
    std::vector<NameRule> rules = options.rules;
    const EndAtOnce endAtOnce; // nothing is written here
    const bool shown = terminalTakesProgress();
    options.progress = [&](const ImportProgress& progress) {
        if (shown && progress.bytes > 0) {
            const std::int64_t percent = 100 * progress.bytesRead / progress.bytes;
            showStatus(console.err, "reading file " + std::to_string(progress.file + 1) + " of " +
                                        std::to_string(progress.files) + ", " +
                                        std::to_string(percent) + " %");
        }
        return true;
    };
    Result<Trace> trace = importTrace(files, options);
    showStatus(console.err, {});
    if (!trace)
        return wrong(trace.error());
    ReadTrace read{std::move(*trace), {}, 0, 1, std::move(rules)};
    read.runs = runsOf(read.trace);
    const auto one = [&](const char* option, int of) -> tl::expected<int, Failure> {
        const int number = static_cast<int>(arguments.whole(option, 0));
        if (number >= of)
            return wrong("--" + std::string(option) + " " + std::to_string(number) +
                         ": the trace has " + std::to_string(of) + " " + option +
                         (of == 1 ? "" : "s") + ", numbered from 0");
        return number;
    };
    PW_TRY(const int run, one("run", read.runs));
    if (read.runs > 1)
        keepRun(read.trace, run);
    read.replicas = recoverAllAligned(read.trace);
    PW_TRY(const int replica, one("replica", static_cast<int>(read.replicas.size())));
    read.shown = static_cast<std::size_t>(replica);
    return read;
}

} // namespace pw::app
