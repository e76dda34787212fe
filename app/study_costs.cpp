// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/study_costs.h"

#include "app/engine_options.h"
#include "app/model_options.h"
#include "app/stage_times.h"
#include "app/study_shape.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/carry_ranks.h"
#include "core/cost/origin_costs.h"
#include "core/cost/pass_overhead.h"
#include "core/io/file_problem.h"
#include "core/sim/memory.h"

#include <algorithm>

namespace pw::app {

namespace {

constexpr const char* timesSection = "Times, of a device's whole share of the model";
constexpr const char* memorySection = "Memory";
constexpr const char* modelSection = "Times and bytes from a model and a machine";

constexpr const char* measuredSection = "Measured times and bytes";

constexpr double mostMs = 1e6; // when links change
constexpr double mostBytes = 1e15;
constexpr std::int64_t mostStageTimeBytes = 16 << 20;

UniformCosts uniformCosts(const Arguments& arguments)
{
    const auto ticks = [&arguments](const char* name, Ticks fallback) {
        const std::optional<double> ms = arguments.number(name);
        return ms ? ticksFromMs(*ms) : fallback;
    };
    UniformCosts uniform;
    uniform.forward = ticks("forward", uniform.forward);
    uniform.backward = ticks("backward", uniform.backward);
    uniform.weight = ticks("weight", uniform.weight);
    if (arguments.has("pair"))
        uniform.pair = ticks("pair", 0);
    uniform.hop = ticks("comm", 0);
    uniform.update = ticks("update", 0);
    uniform.keptForWeight = arguments.number("kept-for-weight", uniform.keptForWeight);
    // A layer keeps 34 bytes for every number of its input, which has 2 (arXiv:2205.05198): a stage
    // of one keeps its input where it is computed again.
    constexpr double inputOfLayer = 2.0 / 34;
    const bool again = arguments.has(recomputeName);
    uniform.stash = arguments.number("stash", again ? inputOfLayer : uniform.stash);
    uniform.activation = static_cast<Bytes>(arguments.number("activation", 0));
    return uniform;
}

std::string textOf(const UniformCosts& uniform, const PipelineSpec& spec)
{
    std::string text = "F " + timeText(uniform.forward) + ", B " + timeText(uniform.backward) +
                       ", W " + timeText(uniform.weight);
    if (uniform.pair)
        text += ", overlapped F and BW " + timeText(*uniform.pair);
    if (spec.updates && uniform.update > 0)
        text += ", U " + timeText(uniform.update);
    text += spec.stages() > spec.devices ? " for a device's share of the model" : " a stage";
    if (uniform.hop > 0)
        text += "; a message takes " + timeText(uniform.hop);
    if (uniform.activation > 0)
        text += "; a micro-batch keeps " + byteText(uniform.activation);
    if (uniform.keptForWeight < 1)
        text += "; " + plainNumber(100 * uniform.keptForWeight) + " % of it until W";
    if (uniform.stash > 0)
        text += "; " + plainNumber(100 * uniform.stash) + " % of it where it is recomputed";
    return text;
}

/// Costs from a model and a machine. Times that are given beside them are refused: they would be
/// ignored.
tl::expected<StudyCosts, Failure> modelCosts(const PipelineSpec& spec, const Arguments& arguments)
{
    for (const char* name : {"forward", "backward", "weight", "pair", "comm", "update",
                             "kept-for-weight", "stash", "activation"}) {
        if (arguments.has(name))
            return usage(std::string("--") + name + " and --model exclude each other");
    }
    CostOrigin origin;
    origin.hardware = arguments.text("hardware", origin.hardware);
    origin.split = arguments.text("split", origin.split);
    origin.recomputeIn = arguments.has(recomputeName) ? RecomputeIn::Passes : RecomputeIn::Backward;
    PW_TRY(origin.model, modelOf(arguments));
    PW_TRY(origin.engine, engineOf(arguments));
    const Result<Accelerator> device = findAccelerator(origin.hardware);
    if (!device)
        return usage("--hardware: " + device.error().message);
    PW_DO(splitAsked(arguments, origin.model.dense.layers, spec.stages()));
    PW_TRY(Costs costs, pw::costsOf(origin, spec));
    const TransformerModel& dense = origin.model.dense;
    PW_TRY(const PlannedOrigin planned, plannedOrigin(origin, spec));
    const bool fitted = planned.cluster.constants.of(dense.precision).rows > 0;
    const std::string what =
        dense.name + modelFieldsText(arguments) + " (" + countText(dense.layers, "layer") + ", " +
        origin.split + " split) on " + std::string(device->title) + ", micro-batch of " +
        std::to_string(dense.microBatch) + " × " + std::to_string(dense.sequence) + " tokens" +
        (origin.engine == EngineMemory() ? "" : ", memory as of " + text(origin.engine)) +
        (fitted ? ""
                : "; times are not fitted for it in " + std::string(name(dense.precision)) +
                      ", a ranking");
    return StudyCosts{std::move(costs), what, {}, std::nullopt, {}};
}

/// Reads "0:1,20:5,60:1".
Result<std::vector<LinkPhase>> readLinkTrace(const std::string& text)
{
    std::vector<LinkPhase> phases;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string cell = text.substr(begin, end - begin);
        const std::size_t colon = std::min(cell.find(':'), cell.size());
        const std::optional<double> start =
            readQuantity(cell.substr(0, colon), Measure::Milliseconds);
        const std::optional<double> slowdown =
            parseNumber(std::string_view(cell).substr(std::min(colon + 1, cell.size())));
        constexpr double mostSlowdown = 1e6;
        constexpr double leastSlowdown = 1e-6;
        const bool good = start && slowdown && *start >= 0 && *start <= mostMs &&
                          *slowdown >= leastSlowdown && *slowdown <= mostSlowdown;
        if (!good || (!phases.empty() && ticksFromMs(*start) <= phases.back().start)) {
            return fail(ErrorCode::BadValue,
                        "--link-trace takes rising milliseconds, each with a factor after a colon, "
                        "such as 0:1,20:5,60:1, and not %1",
                        quotedWord(text));
        }
        phases.push_back({ticksFromMs(*start), *slowdown});
        begin = end + 1;
    }
    return phases;
}

/// Puts what holds for costs of any source into them: --memory-limit, --link-trace and
/// --pass-overhead.
tl::expected<void, Failure> applyLimits(StudyCosts& study, const PipelineSpec& spec,
                                        const Arguments& arguments)
{
    Costs& costs = study.costs;
    if (const double ms = arguments.number(passOverheadName).value_or(0); ms > 0) {
        addPassOverhead(costs, ticksFromMs(ms));
        study.text += "; every pass takes " + timeText(ticksFromMs(ms)) + " more";
        study.uniform.reset(); // closed forms know of none
    }
    PW_TRY(const MemoryLimit limit, readMemoryLimit(arguments));
    PW_DO(limit.apply(costs, spec));
    if (arguments.has(linkTraceName)) {
        const std::string text = arguments.text(linkTraceName);
        Result<std::vector<LinkPhase>> trace = readLinkTrace(text);
        if (!trace)
            return usage(trace.error().message);
        costs.linkTrace = std::move(*trace);
        study.text += "; link trace " + text;
        study.uniform.reset(); // closed forms know of no trace
    }
    return {};
}

/// The shape that measured costs are of. A costs file does not say where its
/// stages lie, and nothing that is carried over depends on it.
PipelineSpec measuredShape(const CostsFile& file)
{
    PipelineSpec spec;
    spec.devices = file.devices;
    Placement placement;
    for (const StageId stage : Ids<StageId>(file.stages))
        placement.deviceOfStage.push_back(DeviceId(stage % file.devices));
    spec.routes = {std::move(placement)};
    spec.segmentLengths = file.segmentLengths;
    return spec;
}

/// Costs that were measured for a shape, carried over where it is another one than the file's.
Result<CarriedCosts> shapedCosts(const CostsFile& file, const PipelineSpec& spec)
{
    const PipelineSpec own = measuredShape(file);
    if (own.stages() == spec.stages() && own.segments() == spec.segments()) {
        PW_TRY(Costs costs, pw::costsOf(file, spec));
        return CarriedCosts{std::move(costs), {}};
    }
    PW_TRY(const Costs costs, pw::costsOf(file, own));
    PW_TRY(CarriedCosts carried, carryCosts(costs, own, spec));
    carryRanks(costs, own, spec, carried);
    return carried;
}

/// Costs that were measured, from --costs or a moment ago. Times beside them are refused: they
/// would be ignored.
tl::expected<StudyCosts, Failure> measuredCosts(const PipelineSpec& spec,
                                                const Arguments& arguments,
                                                std::shared_ptr<const CostsFile> measured)
{
    std::string from;
    if (measured == nullptr) {
        for (const Option& option : costOptions()) {
            if (arguments.has(option.name) && option.name != "costs" &&
                option.name != memoryLimitName && option.name != linkTraceName &&
                option.name != "split")
                return usage("--" + option.name + " and --costs exclude each other");
        }
        const std::string path = arguments.text("costs");
        PW_TRY(CostsFile file, loadCosts(path));
        measured = std::make_shared<CostsFile>(std::move(file));
        from = ", " + path;
    }
    PW_TRY(CarriedCosts shaped, shapedCosts(*measured, spec));
    if (const std::optional<double> hop = arguments.number("comm"))
        shaped.costs.link = {ticksFromMs(*hop), 0};
    return StudyCosts{std::move(shaped.costs),
                      "times as measured on " + measured->backend +
                          (measured->host.empty() ? "" : " of " + measured->host) + from,
                      std::move(shaped.how), std::nullopt, std::move(measured)};
}

std::string modelNames()
{
    std::string names;
    for (const LanguageModel& model : modelPresets())
        names += (names.empty() ? "" : ", ") + model.dense.name;
    return names;
}

std::vector<Option> timeOptions()
{
    const auto time = [](const char* name, const char* summary) {
        return Option{.name = name,
                      .kind = ValueKind::Number,
                      .placeholder = "MS",
                      .summary = summary,
                      .section = timesSection,
                      .minimum = 0,
                      .maximum = longestPassMs};
    };
    return {time("forward", "F of a micro-batch, in milliseconds (default 1)"),
            time("backward", "B, the backward for the input (default 1)"),
            time("weight", "W, the backward for the weights (default 1); BW takes B + W"),
            time("pair", "an overlapped F and BW (default: their sum)"),
            time("comm", "a message between two devices (default 0)"),
            time("update", "U, the optimizer's update (default 0)"),
            {.name = passOverheadName,
             .kind = ValueKind::Number,
             .placeholder = "MS",
             .summary = "what every pass takes besides, however small it is: the engine's own work "
                        "(default 0)",
             .section = timesSection,
             .minimum = 0,
             .maximum = longestPassMs / 2},
            {.name = "stage-times",
             .kind = ValueKind::Text,
             .placeholder = "FILE",
             .summary = "CSV with the heading stage,forward,backward,weight: milliseconds of every "
                        "stage",
             .section = timesSection},
            {.name = linkTraceName,
             .kind = ValueKind::Text,
             .placeholder = "MS:FACTOR,…",
             .summary = "from time MS on, messages take FACTOR times as long: 0:1,20:5,60:1 "
                        "slows the network down for 40 ms",
             .section = timesSection},
            {.name = "costs",
             .kind = ValueKind::Text,
             .placeholder = "FILE",
             .summary = "what `pipewright costs calibrate` measured, instead of all times",
             .section = measuredSection}};
}

std::vector<Option> memoryOptions()
{
    return {{.name = memoryLimitName,
             .kind = ValueKind::Text,
             .placeholder = "LIMIT",
             .summary = "most that a device holds, in micro-batches of activation (6 or 6mb) or in "
                        "bytes (40GiB, with weights and states): the searches stay below it, "
                        "everything else is checked against it",
             .section = memorySection},
            {.name = "kept-for-weight",
             .kind = ValueKind::Number,
             .placeholder = "SHARE",
             .summary = "part of an activation that stays between B and W (default 1)",
             .section = memorySection,
             .minimum = 0,
             .maximum = 1},
            {.name = "stash",
             .kind = ValueKind::Number,
             .placeholder = "SHARE",
             .summary =
                 "part of an activation that recomputation keeps, the stage's input (default 1/17)",
             .section = memorySection,
             .minimum = 0,
             .maximum = 1},
            {.name = "activation",
             .kind = ValueKind::Number,
             .placeholder = "BYTES",
             .summary = "what a micro-batch keeps on a device (default: not known)",
             .section = memorySection,
             .minimum = 0,
             .maximum = mostBytes}};
}

std::vector<Option> modelledOptions()
{
    std::vector<Option> all = {
        {.name = "model",
         .kind = ValueKind::Text,
         .placeholder = "FILE|PRESET",
         .summary = "a transformer, instead of the times above: " + modelNames() +
                    ", or a JSON file as `pipewright model` prints one",
         .section = modelSection},
        {.name = "hardware",
         .kind = ValueKind::Text,
         .placeholder = "PRESET",
         .summary = "the machine: " + acceleratorNames() + " (default a100)",
         .section = modelSection},
        {.name = "split",
         .kind = ValueKind::Text,
         .placeholder = "HOW",
         .summary = "layers of the stages: even (default), ends (one less at both ends), counts "
                    "such as 7,8,8,7, or a layout such as E|t*8|t*8L",
         .section = modelSection}};
    for (Option& option : engineOptions(modelSection))
        all.push_back(std::move(option));
    return all;
}

} // namespace

void addMeasuredEdges(StudyCosts& costs, const Schedule& schedule)
{
    if (costs.measured != nullptr)
        addEdges(costs.measured->edges, measuredShape(*costs.measured), schedule, costs.costs);
}

void setMeasuredEnds(StudyCosts& costs, const Schedule& schedule)
{
    if (hasMeasuredEnds(costs))
        setEnds(costs.measured->edges, measuredShape(*costs.measured), schedule, costs.costs);
}

bool hasMeasuredEnds(const StudyCosts& costs)
{
    return costs.measured != nullptr && !costs.costs.single.empty();
}

std::vector<Option> costOptions()
{
    std::vector<Option> all = timeOptions();
    for (std::vector<Option>& part : std::vector{memoryOptions(), modelledOptions()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

Result<std::vector<LinkPhase>> linkTraceOf(const std::string& text)
{
    return readLinkTrace(text);
}

tl::expected<LayerSplit, Failure> splitAsked(const Arguments& arguments, int layers, int stages)
{
    Result<LayerSplit> split = parseSplit(arguments.text("split", "even"), layers, stages);
    if (split)
        return *std::move(split);
    return split.error().code == ErrorCode::Syntax ? usage("--split: " + split.error().message)
                                                   : wrong(split.error());
}

bool hasCostOptions(const Arguments& arguments)
{
    const std::vector<Option> options = costOptions();
    return std::any_of(options.begin(), options.end(), [&arguments](const Option& option) {
        return option.name != memoryLimitName && option.name != linkTraceName &&
               option.name != passOverheadName && arguments.has(option.name);
    });
}

tl::expected<StudyCosts, Failure> studyCosts(const PipelineSpec& spec, const Arguments& arguments,
                                             const CostSource& source)
{
    StudyCosts costs;
    PW_DO(checkModelFields(arguments, source.trains));
    for (const char* name : {"hardware", "split", "engine-memory", "loss"}) {
        const bool ownUse = source.trains && name == std::string_view("split");
        if (arguments.has(name) && !arguments.has("model") && !ownUse)
            return usage(std::string("--") + name + " needs --model");
    }
    if (source.measured != nullptr || arguments.has("costs")) {
        tl::expected<StudyCosts, Failure> measured =
            measuredCosts(spec, arguments, source.measured);
        if (!measured)
            return measured;
        costs = std::move(*measured);
    } else if (arguments.has("model")) {
        tl::expected<StudyCosts, Failure> modelled = modelCosts(spec, arguments);
        if (!modelled)
            return modelled;
        costs = std::move(*modelled);
    } else {
        const UniformCosts uniform = uniformCosts(arguments);
        costs = {expand(uniform, spec), textOf(uniform, spec), {}, uniform, {}};
    }
    if (arguments.has("stage-times") && source.measured == nullptr) {
        for (const char* name : {"forward", "backward", "weight"}) {
            if (arguments.has(name))
                return usage(std::string("--") + name + " and --stage-times exclude each other");
        }
        const std::string file = arguments.text("stage-times");
        PW_TRY(const std::string csv, readFile(file, mostStageTimeBytes));
        const Result<std::vector<StageTimes>> times = readStageTimes(csv);
        if (!times)
            return wrong(file + ": " + times.error().message);
        if (const Result<void> applied = applyStageTimes(costs.costs, spec, *times); !applied)
            return wrong(file + ": " + applied.error().message);
        costs.text = "times of the stages from " + file;
        costs.uniform.reset();
    }
    PW_DO(applyLimits(costs, spec, arguments));
    PW_DO(check(costs.costs, spec));
    return costs;
}

tl::expected<StudyCosts, Failure> costsOfFile(const Project& project, const Arguments& arguments)
{
    StudyCosts costs{pw::costsOf(project), "costs of the file", {}, std::nullopt, {}};
    if (const UniformCosts* uniform = std::get_if<UniformCosts>(&project.costs)) {
        costs.uniform = *uniform;
        costs.text = textOf(*uniform, project.draft.spec);
    }
    PW_DO(applyLimits(costs, project.draft.spec, arguments));
    return costs;
}

} // namespace pw::app
