// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/advice_input.h"

#include "app/comparison.h"
#include "app/stored_run.h"
#include "app/trace_files.h"
#include "app/what_if_lists.h"
#include "core/advise/layer_costs.h"
#include "core/advise/log_source.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/peaks_file.h"
#include "core/io/schedule_file.h"
#include "core/reading/file_content.h"
#include "core/reading/sniff.h"
#include "core/store/stored_advice.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace pw::app {

namespace {

tl::expected<AdviceSource, Failure> projectInput(const std::string& path)
{
    PW_TRY(const ScheduleFile file, pw::readScheduleFile(path));
    if (file.problemCount > 0)
        return wrong(problemsText(path, file));
    if (!file.hasCosts)
        return wrong(path + " does not say what passes take; a trace, a run or a project with "
                            "costs does");
    PW_TRY(AdviceSource source, adviceSource(file.project, path));
    return source;
}

/// What single passes take from two sizes of micro-batches, of the stages' forwards.
tl::expected<Ticks, Failure> fixedFrom(const AdviceSource& one, const AdviceSource& other)
{
    const PipelineSpec &spec = one.base.schedule.spec(), &second = other.base.schedule.spec();
    const double ratio = static_cast<double>(spec.microBatches) / second.microBatches;
    if (spec.stages() != second.stages() || spec.segments() != second.segments())
        return wrong("--fixed-from: the trace has another number of stages or segments");
    if (ratio == 1)
        return wrong("--fixed-from: the trace has as many micro-batches, so their sizes tell "
                     "nothing");
    std::vector<Ticks> fixed;
    for (std::size_t cell = 0; cell < one.base.costs.forward.size(); ++cell) {
        const auto small = static_cast<double>(one.base.costs.forward[cell]);
        const auto large = static_cast<double>(other.base.costs.forward[cell]);
        fixed.push_back(static_cast<Ticks>((small * ratio - large) / (ratio - 1)));
    }
    std::sort(fixed.begin(), fixed.end());
    return std::max<Ticks>(0, fixed[(fixed.size() - 1) / 2]);
}

} // namespace

std::vector<Option> layerOptions()
{
    constexpr const char* section = "Layers and micro-batches";
    return {{.name = measuredLayersName,
             .kind = ValueKind::Text,
             .placeholder = "N,N,…",
             .summary = "layers of every stage as they were measured, such as 4,4,4,4, or of the "
                        "whole model, spread evenly",
             .section = section,
             .formerly = {{"layers"}}},
            {.name = "split",
             .kind = ValueKind::Text,
             .placeholder = "N,N,…|best",
             .summary = "layers of every stage instead, or the best that there are",
             .section = section},
            {.name = "peaks",
             .kind = ValueKind::Text,
             .placeholder = "FILE.csv",
             .summary = "what the ranks held at most when it was measured: a table with the "
                        "columns rank and peak_bytes",
             .section = section},
            {.name = "global-batch",
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary = "samples of a step: other numbers of micro-batches are of other sizes",
             .section = section,
             .minimum = 1,
             .maximum = 1e9},
            {.name = "fixed",
             .kind = ValueKind::Number,
             .placeholder = "MS",
             .summary = "of a pass, what does not depend on the size of its micro-batch (default: "
                        "none, and up to a fifth in the interval)",
             .section = section,
             .minimum = 0,
             .maximum = 1e6},
            {.name = "fixed-from",
             .kind = ValueKind::Text,
             .placeholder = "TRACE",
             .summary = "the same from a trace of the same model and batch with another number of "
                        "micro-batches",
             .section = section}};
}

tl::expected<AdviceSource, Failure> adviceInput(const std::vector<std::string>& words,
                                                const Arguments& arguments, Console& console)
{
    const std::string& first = words.front();
    const bool there = fileKind(first) != FileKind::Missing;
    const bool number = first.find_first_not_of("0123456789") == std::string::npos;
    if (words.size() == 1 && !there && (number || first == "last")) {
        PW_TRY(RunStore store, storeToRead(arguments));
        PW_TRY(const RunNumber run, runOfWord(store, first));
        PW_TRY(AdviceSource source, adviceSource(store, run));
        return source;
    }
    if (words.size() == 1 && fileKind(first) == FileKind::Regular && !looksLikeTrace(first))
        return projectInput(first);
    PW_TRY(const ReadTrace read, readTrace(words, arguments, console));
    const bool log = read.trace.log.any() && !read.aligned().pipeline.schedule;
    PW_TRY(AdviceSource source,
           log ? logSource(read.trace) : adviceSource(read.trace, read.replicas, read.shown));
    const std::filesystem::path path(first);
    source.name = (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
    return source;
}

tl::expected<void, Failure> takeLayers(AdviceSource& source, const Arguments& arguments)
{
    if (!arguments.has(measuredLayersName))
        return {};
    const std::string text = arguments.text(measuredLayersName);
    const int stages = source.base.schedule.spec().stages();
    std::vector<int> layers;
    if (stages > 1 && text.find(',') == std::string::npos) {
        const std::optional<double> total = parseNumber(text);
        if (!total || *total < 1 || *total > mostModelLayers || *total != std::floor(*total))
            return usage(
                "--measured-layers takes layers of every stage, such as 4,4,4,4, or of the whole "
                "model, up to " +
                std::to_string(mostModelLayers) + ", and not " + quotedWord(text));
        PW_TRY(const LayerSplit split, evenSplit(static_cast<int>(*total), stages));
        for (const StageContent& stage : split)
            layers.push_back(stage.layers);
    } else {
        Result<std::vector<int>> parsed = parseLayers(text, stages, 0);
        if (!parsed)
            return usage("--measured-layers: " + parsed.error().message);
        layers = std::move(*parsed);
    }
    PW_DO(setLayers(source, std::move(layers)));
    return {};
}

tl::expected<void, Failure> takePeaks(AdviceSource& source, const Arguments& arguments)
{
    if (!arguments.has("peaks"))
        return {};
    const std::string path = arguments.text("peaks");
    PW_TRY(const std::vector<Bytes> peaks, readRankPeaks(path));
    WhatIfBase& base = source.base;
    const PipelineSpec& spec = base.schedule.spec();
    if (peaks.size() != static_cast<std::size_t>(spec.devices))
        return wrong(path + " has " + countText(static_cast<std::int64_t>(peaks.size()), "rank") +
                     ", the order " + countText(spec.devices, "device"));
    base.memory = fitRankMemory(peaks, spec, base.predicted);
    if (!base.memory)
        return wrong(path + ": ranks with more micro-batches in flight do not hold more, so "
                            "nothing tells what one of them needs");
    return {};
}

tl::expected<void, Failure> takeRecomputed(AdviceSource& source, const Arguments& arguments)
{
    if (!arguments.has("recomputed"))
        return {};
    const int stages = source.base.schedule.spec().stages();
    std::vector<int> again;
    if (arguments.text("recomputed") == "all") {
        for (int stage = 0; stage < stages; ++stage)
            again.push_back(stage);
    } else {
        PW_TRY(const std::vector<double> numbers, numbersOf(arguments, "recomputed", false));
        for (const double number : numbers) {
            if (number != std::floor(number))
                return usage("--recomputed takes stages with commas between, or all, and not " +
                             quotedWord(arguments.text("recomputed")));
            again.push_back(static_cast<int>(number));
        }
    }
    if (const Result<void> set = setRecomputed(source, std::move(again)); !set)
        return usage("--recomputed: " + set.error().message);
    return {};
}

tl::expected<std::vector<int>, Failure> splitAskedFor(const AdviceSource& source,
                                                      const Arguments& arguments)
{
    const std::string text = arguments.text("split");
    if (text.empty())
        return std::vector<int>();
    const int stages = source.base.schedule.spec().stages();
    if (source.layers.empty())
        return usage(
            "--split moves layers, and how many each of the " + countText(stages, "stage") +
            " has is not known: --measured-layers says it, such as --measured-layers 4,4,4,4");
    if (text == "best")
        return std::vector<int>();
    int total = 0;
    for (const int count : source.layers)
        total += count;
    Result<std::vector<int>> split = parseLayers(text, stages, total);
    if (!split)
        return usage("--split: " + split.error().message);
    return std::move(*split);
}

tl::expected<std::optional<Ticks>, Failure>
fixedTimeOf(const AdviceSource& source, const Arguments& arguments, Console& console)
{
    if (arguments.has("fixed") && arguments.has("fixed-from"))
        return usage("--fixed and --fixed-from exclude each other");
    if (const std::optional<double> ms = arguments.number("fixed"))
        return ticksFromMs(*ms);
    if (!arguments.has("fixed-from"))
        return std::nullopt;
    PW_TRY(const AdviceSource other,
           adviceInput({arguments.text("fixed-from")}, arguments, console));
    PW_TRY(const Ticks fixed, fixedFrom(source, other));
    return fixed;
}

} // namespace pw::app
