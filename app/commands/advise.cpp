// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/advice_input.h"
#include "app/advice_page.h"
#include "app/advice_report.h"
#include "app/interrupt.h"
#include "app/predicted_files.h"
#include "app/stored_run.h"
#include "app/study_costs.h"
#include "app/time_limit.h"
#include "app/trace_files.h"
#include "app/what_if_lists.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"

#include <ostream>
#include <utility>

namespace pw::app::commands {

namespace {

tl::expected<AdviceRequest, Failure> requestOf(const AdviceSource& source,
                                               const Arguments& arguments, Console& console)
{
    AdviceRequest request;
    PW_TRY(request.split, splitAskedFor(source, arguments));
    request.globalBatch = static_cast<std::int64_t>(arguments.number("global-batch", 0));
    request.weightPart = arguments.number("weight-part");
    request.seconds = arguments.number(timeLimitName, request.seconds);
    request.most = static_cast<std::size_t>(arguments.whole("top", static_cast<int>(request.most)));
    if (arguments.has(memoryLimitName)) {
        const std::optional<double> bytes =
            readQuantity(arguments.text(memoryLimitName), Measure::Size);
        constexpr double most = 1e15;
        if (!bytes || *bytes < 1 || *bytes > most)
            return usage("--memory-limit takes the memory of a device, such as 80GiB, and not " +
                         quotedWord(arguments.text(memoryLimitName)));
        request.cap = static_cast<Bytes>(*bytes);
    }
    if (const std::optional<double> rate = arguments.number("host-link")) {
        constexpr double giga = 1e9;
        request.hostRate = *rate * giga;
    }
    if (arguments.has("micro-batches") && arguments.text("micro-batches") != "best") {
        PW_TRY(const std::vector<double> counts, numbersOf(arguments, "micro-batches", true));
        for (const double count : counts)
            request.microBatches.push_back(static_cast<int>(count));
    }
    if (arguments.has("micro-batches") && request.globalBatch == 0)
        return usage("--micro-batches needs --global-batch: how many samples a step has");
    for (const int count : request.microBatches)
        if (count > request.globalBatch)
            return usage("--micro-batches " + std::to_string(count) + ": a step of " +
                         countText(request.globalBatch, "sample") + " has no such many");
        else if (request.globalBatch % count != 0)
            return usage("--micro-batches " + std::to_string(count) + ": " +
                         countText(request.globalBatch, "sample") +
                         " are not as many in each of them");
    if (arguments.has("segments")) {
        PW_TRY(const std::vector<double> counts, numbersOf(arguments, "segments", true));
        constexpr double most = 64;
        for (const double count : counts) {
            if (count < 2 || count > most)
                return usage("--segments takes numbers from 2 to 64 with commas between, not " +
                             quotedWord(arguments.text("segments")));
            request.segments.push_back(static_cast<int>(count));
        }
    }
    PW_TRY(request.fixedTime, fixedTimeOf(source, arguments, console));
    return request;
}

/// The change that is drawn and written: the one asked for, else the first; none of no changes.
tl::expected<std::optional<std::size_t>, Failure> chosenChange(const Advice& advice,
                                                               const Arguments& arguments)
{
    std::size_t count = 0;
    while (count < advice.changes.size() && advice.changes[count].what != ChangeKind::Bound)
        ++count;
    const auto asked = static_cast<std::size_t>(arguments.whole("change", 1));
    if (arguments.has("change") && asked > count)
        return wrong("--change " + std::to_string(asked) + ": there " +
                     (count == 1 ? "is " : "are ") + countText(count, "change"));
    if (count == 0)
        return std::nullopt;
    return asked - 1;
}

tl::expected<AfterCheck, Failure> checkedAfter(const AdviceSource& source, const Advice& advice,
                                               std::optional<std::size_t> chosen,
                                               const Arguments& arguments, Console& console)
{
    PW_TRY(const AdviceSource after, adviceInput({arguments.text("after")}, arguments, console));
    PW_TRY(AfterCheck check,
           checkAfter(source, advice, after, arguments.has("change") ? chosen : std::nullopt));
    return check;
}

tl::expected<void, Failure> writeFiles(const AdviceSource& source, const Advice& advice,
                                       std::optional<std::size_t> chosen,
                                       const Arguments& arguments, Console& console)
{
    if (!chosen)
        return wrong("there is no change to write");
    const AdvisedChange& one = advice.changes[*chosen];
    const Prediction& made = one.promise.prediction;
    std::vector<int> split = one.split();
    if (split.empty() && made.schedule.spec().stages() == source.base.schedule.spec().stages())
        split = source.layers;
    return writePredicted({made, one.title, adviceNote(source, one), std::move(split)}, arguments,
                          console);
}

Outcome runAdvise(const Arguments& arguments, Console& console)
{
    PW_TRY(const bool files, asksForFiles(arguments));
    PW_TRY(AdviceSource source, adviceInput(arguments.words(), arguments, console));
    PW_DO(takeLayers(source, arguments));
    PW_DO(takePeaks(source, arguments));
    PW_DO(takeRecomputed(source, arguments));
    PW_TRY(AdviceRequest request, requestOf(source, arguments, console));
    exec::Stop stop;
    request.stopped = [&stop] { return stop.requested(); };
    Result<Advice> advice = [&] {
        const Interrupt interrupt(stop);
        return adviceOn(source, request);
    }();
    if (!advice)
        return wrong(advice.error());
    PW_TRY(std::optional<std::size_t> chosen, chosenChange(*advice, arguments));
    std::optional<AfterCheck> after;
    if (arguments.has("after")) {
        PW_TRY(after, checkedAfter(source, *advice, chosen, arguments, console));
        if (after->change)
            chosen = after->change = advice->tell(*after->change);
    }
    const ToldAdvice told{source, *advice, chosen, after ? &*after : nullptr};
    console.out << (arguments.has("json")
                        ? adviceJson(told)
                        : adviceText(told, console.screen, !arguments.has("no-gantt")));
    if (arguments.has("html")) {
        PW_TRY(const std::string page, advicePage(told));
        PW_DO(writeFile(arguments.text("html"), page));
    }
    if (files)
        PW_DO(writeFiles(source, *advice, chosen, arguments, console));
    return ExitCode::Good;
}

/// What devices may hold, and do.
std::vector<Option> memoryOptions()
{
    std::vector<Option> all;
    all.push_back({.name = memoryLimitName,
                   .kind = ValueKind::Text,
                   .placeholder = "SIZE",
                   .summary = "memory of a device, such as 80GiB: what needs more is told with "
                              "stages that recompute or offload, or left out, if the trace has "
                              "the peak of every rank (default: the hardware's of a project)",
                   .formerly = {{"cap"}}});
    all.push_back({.name = "recomputed",
                   .kind = ValueKind::Text,
                   .placeholder = "STAGES|all",
                   .summary = "stages, such as 0,1, whose backward computed its forward again when "
                              "it was measured"});
    all.push_back({.name = "host-link",
                   .kind = ValueKind::Number,
                   .placeholder = "GB/s",
                   .summary = "rate of a device's link to its host, in either direction (default " +
                              plainNumber(Offload::usualRate / 1e9) +
                              ", and half of it in the interval)",
                   .minimum = 1e-3,
                   .maximum = 1e6});
    return all;
}

std::vector<Option> optionsOfAdvise()
{
    std::vector<Option> all = layerOptions();
    all.push_back({.name = "micro-batches",
                   .kind = ValueKind::Text,
                   .placeholder = "M,…|best",
                   .summary = "with --global-batch: numbers of micro-batches to look at (default: "
                              "best, of all that divide the batch)",
                   .section = "Layers and micro-batches"});
    all.push_back({.name = "segments",
                   .kind = ValueKind::Text,
                   .placeholder = "K,…",
                   .summary = "numbers of segments to look at, that whole sequences are cut into; "
                              "few engines run them",
                   .section = "Layers and micro-batches"});
    all.push_back({.name = "weight-part",
                   .kind = ValueKind::Number,
                   .placeholder = "PART",
                   .summary = "part of BW that is W, if only BW was measured (default 0.5, and 0.3 "
                              "to 0.55 in the interval)",
                   .minimum = 0,
                   .maximum = 1});
    for (Option& option : memoryOptions())
        all.push_back(std::move(option));
    all.push_back(
        timeLimitOption("time that all searches may take together (default 3)", 1e6, "time"));
    all.push_back({.name = "top",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "changes that are told (default 10)",
                   .minimum = 1,
                   .maximum = 1000,
                   .formerly = {{"most"}}});
    all.push_back({.name = "change",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "the change that is drawn, written, or held against --after, by its "
                              "number (default: the first; of --after, the one that fits)",
                   .minimum = 1,
                   .maximum = 1000});
    all.push_back(
        {.name = "after",
         .kind = ValueKind::Text,
         .placeholder = "TRACE",
         .summary = "trace, folder or run of the changed training: did the promise hold"});
    for (const std::vector<Option>& more : {predictedFileOptions(), traceOptions()})
        all.insert(all.end(), more.begin(), more.end());
    all.push_back(storeOption());
    all.push_back({.name = "json", .summary = "for programs: one object", .section = "Output"});
    all.push_back({.name = "html",
                   .kind = ValueKind::Text,
                   .placeholder = "FILE",
                   .summary = "writes a web page: changes ranked, with lanes before and after",
                   .section = "Output"});
    all.push_back({.name = "no-gantt", .summary = "no timelines", .section = "Output"});
    return all;
}

} // namespace

Command advise()
{
    Command command;
    command.name = "advise";
    command.group = CommandGroup::Traces;
    command.summary = "what to change in a training, from its trace, and whether it helped";
    command.words = "TRACE… | FOLDER | RUN | PROJECT";
    command.about =
        "Says how long a step takes and why, and lists changes by what they gain: layers moved "
        "between stages, other orders on the same stages, other families, both together, other "
        "micro-batches; last what cannot be had, which tells what is not worth it. Costs are "
        "those of fit and whatif, to the last digit.\n"
        "Each gain has an interval that holds the next measurement nine times in ten: it counts "
        "what passes and steps differ by, what is not known of a backward and of layers, what a "
        "profiler adds, and how far the step itself is replayed off.\n"
        "A trace rarely says how many layers a stage has; --measured-layers does. --emit writes "
        "the files "
        "of an engine with the predicted order and split. --after takes the trace of the changed "
        "training and says whether the promise held, and where the difference lies.";
    command.examples = {"pipewright advise run.trace.json",
                        "pipewright advise run.trace.json --measured-layers 8,8 --json",
                        "pipewright advise run.trace.json --measured-layers 16 --split best --save "
                        "better.pipewright.json",
                        "pipewright advise run.trace.json --after run.trace.json --no-gantt"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 100'000;
    command.options = optionsOfAdvise;
    command.run = runAdvise;
    return command;
}

} // namespace pw::app::commands
