// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/study.h"

#include "core/base/text.h"
#include "app/schedule_file.h"
#include "app/stage_times.h"
#include "core/cost/model_file.h"
#include "core/cost/sequence_partition.h"
#include "core/cost/stage_costs.h"
#include "core/io/file_problem.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace pw::app {

namespace {

constexpr const char* shapeSection = "Shape";
constexpr const char* familySection = "Parameters of families";
constexpr const char* timesSection = "Times, of a device's whole share of the model";
constexpr const char* memorySection = "Memory";
constexpr const char* modelSection = "Times and bytes from a model and a machine";

constexpr double mostDevices = 65'536;
constexpr double mostMs = 1e6;
constexpr double mostBytes = 1e15;
constexpr std::int64_t mostStageTimeBytes = 16 << 20;

constexpr const char* equalWork = "equal-work";
constexpr const char* memoryLimitName = "memory-limit";

bool takesParameter(const Family& family, std::string_view name)
{
    return std::any_of(family.parameters.begin(), family.parameters.end(),
                       [name](const Parameter& p) { return p.name == name; });
}

/// Parameters of all families, each name once: the widest range, and who has it.
std::vector<Option> parameterOptions()
{
    std::vector<Option> options;
    std::vector<std::vector<std::string>> owners;
    for (const Family& family : allFamilies()) {
        for (const Parameter& parameter : family.parameters) {
            if (parameter.name == memoryLimitName)
                continue; // every family is checked against it, see costOptions
            const auto known = std::find_if(options.begin(), options.end(), [&](const Option& o) {
                return o.name == parameter.name;
            });
            if (known != options.end()) {
                known->minimum = std::min(known->minimum, parameter.minimum);
                known->maximum = std::max(known->maximum, parameter.maximum);
                if (!parameter.integer)
                    known->kind = ValueKind::Number;
                owners[static_cast<std::size_t>(known - options.begin())].emplace_back(family.id);
                continue;
            }
            options.push_back({.name = std::string(parameter.name),
                               .kind = parameter.integer ? ValueKind::Whole : ValueKind::Number,
                               .placeholder = "N",
                               .summary = std::string(parameter.summary),
                               .section = familySection,
                               .minimum = parameter.minimum,
                               .maximum = parameter.maximum});
            owners.push_back({std::string(family.id)});
        }
    }
    for (std::size_t i = 0; i < options.size(); ++i) {
        std::string list;
        for (const std::string& owner : owners[i])
            list += (list.empty() ? "" : ", ") + owner;
        options[i].summary += " (" + list + ")";
    }
    return options;
}

/// Reads "512,256,256".
Result<std::vector<int>> segmentLengths(const std::string& text)
{
    std::vector<int> lengths;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string cell = text.substr(begin, end - begin);
        const std::optional<double> length = parseNumber(cell);
        constexpr double longest = 1e9;
        if (!length || *length < 1 || *length > longest || *length != std::floor(*length))
            return fail(ErrorCode::BadValue, "--segment-lengths takes whole numbers from 1 with "
                                             "commas between, not " +
                                                 quotedWord(text));
        lengths.push_back(static_cast<int>(*length));
        begin = end + 1;
    }
    return lengths;
}

/// Lengths with equal work, for the model and as many segments as the family has. Empty for a
/// family without segments.
Result<std::vector<int>> equalWorkLengths(const Family& family, const Arguments& arguments)
{
    if (!arguments.has("model"))
        return fail(ErrorCode::BadValue, "--segment-lengths equal-work needs --model");
    if (!takesParameter(family, "segments"))
        return std::vector<int>();
    const Result<TransformerModel> model = loadModel(arguments.text("model"));
    if (!model)
        return fail(model.error());
    FamilyOptions options;
    if (const std::optional<double> segments = arguments.number("segments"))
        options.parameters = {{"segments", *segments}};
    return equalWorkSegments(*model, static_cast<int>(parameterValue(family, options, "segments")));
}

tl::expected<FamilyOptions, Failure> familyOptions(const Family& family, const Arguments& arguments,
                                                   OtherParameters others)
{
    FamilyOptions options;
    options.devices = arguments.whole("devices", options.devices);
    options.microBatches = arguments.whole("micro-batches", 2 * options.devices);
    options.steps = arguments.whole("steps", 1);
    options.updates = arguments.number("update", 0) > 0;
    if (arguments.text("segment-lengths") == equalWork) {
        Result<std::vector<int>> lengths = equalWorkLengths(family, arguments);
        if (!lengths)
            return usage(lengths.error().message);
        options.segmentLengths = std::move(*lengths);
    } else if (arguments.has("segment-lengths")) {
        Result<std::vector<int>> lengths = segmentLengths(arguments.text("segment-lengths"));
        if (!lengths)
            return usage(lengths.error().message);
        options.segmentLengths = std::move(*lengths);
    }
    for (const Option& option : parameterOptions()) {
        const std::optional<double> value = arguments.number(option.name);
        if (!value)
            continue;
        if (takesParameter(family, option.name)) {
            options.parameters.emplace_back(option.name, *value);
        } else if (others == OtherParameters::Refuse) {
            std::string known;
            for (const Parameter& parameter : family.parameters)
                known += (known.empty() ? "" : ", --") + std::string(parameter.name);
            return usage(std::string(family.id) + " takes no --" + option.name +
                         (known.empty() ? "; it has no parameters" : "; it takes --" + known));
        }
    }
    if (arguments.has(memoryLimitName) && takesParameter(family, memoryLimitName))
        options.parameters.emplace_back(memoryLimitName, *arguments.number(memoryLimitName));
    return options;
}

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
    return text;
}

/// Costs from a model and a machine. Times that are given beside them are refused: they would be
/// ignored.
tl::expected<StudyCosts, Failure> modelCosts(const PipelineSpec& spec, const Arguments& arguments)
{
    for (const char* name : {"forward", "backward", "weight", "pair", "comm", "update",
                             "kept-for-weight", "activation"}) {
        if (arguments.has(name))
            return usage(std::string("--") + name + " and --model exclude each other");
    }
    const std::string machineName = arguments.text("hardware", "a100");
    const Result<TransformerModel> model = loadModel(arguments.text("model"));
    if (!model && model.error().code == ErrorCode::BadValue)
        return usage(model.error().message);
    if (!model)
        return wrong(model.error());
    const Result<Hardware> machine = findHardware(machineName);
    if (!machine)
        return usage(machine.error().message);
    const std::string splitText = arguments.text("split", "even");
    const Result<LayerSplit> split = parseSplit(splitText, model->layers, spec.stages());
    if (!split)
        return wrong(split.error());
    const bool recomputes = arguments.number("recompute", 0) != 0;
    Result<Costs> costs = pw::costsOf(*model, *machine, spec, *split,
                                      recomputes ? RecomputeIn::Passes : RecomputeIn::Backward);
    if (!costs)
        return wrong(costs.error());
    const std::string text = model->name + " (" + std::to_string(model->layers) + " layers, " +
                             splitText + " split) on " + std::string(machine->title) +
                             ", micro-batch of " + std::to_string(model->microBatch) + " × " +
                             std::to_string(model->sequence) + " tokens";
    return StudyCosts{std::move(*costs), text, std::nullopt};
}

/// Puts --memory-limit into the costs.
void limitMemory(Costs& costs, const Arguments& arguments)
{
    constexpr double slack = 1 + 1e-9; // a limit of 2.3333333333 is met by 7/3
    if (const std::optional<double> limit = arguments.number(memoryLimitName))
        costs.shareCap = static_cast<Share>(*limit * slack * static_cast<double>(shareOne));
}

/// Costs for a shape from the options.
tl::expected<StudyCosts, Failure> studyCosts(const PipelineSpec& spec, const Arguments& arguments)
{
    StudyCosts costs;
    for (const char* name : {"hardware", "split"}) {
        if (arguments.has(name) && !arguments.has("model"))
            return usage(std::string("--") + name + " needs --model");
    }
    if (arguments.has("model")) {
        tl::expected<StudyCosts, Failure> modelled = modelCosts(spec, arguments);
        if (!modelled)
            return modelled;
        costs = std::move(*modelled);
    } else {
        const UniformCosts uniform = uniformCosts(arguments);
        costs = {expand(uniform, spec), textOf(uniform, spec), uniform};
    }
    if (arguments.has("stage-times")) {
        for (const char* name : {"forward", "backward", "weight"}) {
            if (arguments.has(name))
                return usage(std::string("--") + name + " and --stage-times exclude each other");
        }
        const std::string file = arguments.text("stage-times");
        const Result<std::string> csv = readFile(file, mostStageTimeBytes);
        if (!csv)
            return wrong(csv.error());
        const Result<std::vector<StageTimes>> times = readStageTimes(*csv);
        if (!times)
            return wrong(file + ": " + times.error().message);
        if (const Result<void> applied = applyStageTimes(costs.costs, spec, *times); !applied)
            return wrong(file + ": " + applied.error().message);
        costs.text = "times of the stages from " + file;
        costs.uniform.reset();
    }
    limitMemory(costs.costs, arguments);
    if (const Result<void> good = check(costs.costs, spec); !good)
        return wrong(good.error());
    return costs;
}

std::string modelNames()
{
    std::string names;
    for (const TransformerModel& model : modelPresets())
        names += (names.empty() ? "" : ", ") + model.name;
    return names;
}

std::string hardwareNames()
{
    std::string names;
    for (const Hardware& machine : hardwarePresets())
        names += (names.empty() ? "" : ", ") + std::string(machine.name);
    return names;
}

/// Whether a word that is no family names a file: by its look, or because there is one.
bool isFile(const std::string& word)
{
    return word.find('.') != std::string::npos || word.find('/') != std::string::npos ||
           std::filesystem::exists(word);
}

/// Reads a file that has to be whole.
tl::expected<ScheduleFile, Failure> wholeFile(const std::string& path, const Arguments& arguments)
{
    tl::expected<ScheduleFile, Failure> file = readScheduleFile(path, arguments);
    if (file && file->problemCount > 0)
        return wrong(problemsText(path, *file));
    return file;
}

/// Options that a file decides, which would be ignored beside it.
std::string decidedByFile(const Arguments& arguments)
{
    for (const Option& option : shapeOptions()) {
        if (arguments.has(option.name))
            return option.name;
    }
    return {};
}

bool hasCostOptions(const Arguments& arguments)
{
    const std::vector<Option> options = costOptions();
    return std::any_of(options.begin(), options.end(), [&arguments](const Option& option) {
        return option.name != memoryLimitName && arguments.has(option.name);
    });
}

/// Costs as the file has them, with the memory limit of the command line.
tl::expected<StudyCosts, Failure> costsOfFile(const Project& project, const Arguments& arguments)
{
    StudyCosts costs{costsOf(project), "costs of the file", std::nullopt};
    if (const UniformCosts* uniform = std::get_if<UniformCosts>(&project.costs)) {
        costs.uniform = *uniform;
        costs.text = textOf(*uniform, project.draft.spec);
    }
    limitMemory(costs.costs, arguments);
    return costs;
}

/// The study of a file. Cost options on the command line take the place of the file's costs.
tl::expected<Study, Failure> fileStudy(const std::string& path, const Arguments& arguments)
{
    if (const std::string option = decidedByFile(arguments); !option.empty())
        return usage("--" + option + " is for families; the file decides it");
    tl::expected<ScheduleFile, Failure> file = wholeFile(path, arguments);
    if (!file)
        return tl::unexpected<Failure>(file.error());
    Project& project = file->project;
    tl::expected<StudyCosts, Failure> costs = file->hasCosts && !hasCostOptions(arguments)
                                                  ? costsOfFile(project, arguments)
                                                  : studyCosts(project.draft.spec, arguments);
    if (!costs)
        return tl::unexpected<Failure>(costs.error());
    // The family of a project builds for the costs that are asked for.
    if (costs->uniform)
        project.costs = *costs->uniform;
    else
        project.costs = costs->costs;
    Result<Schedule> schedule = scheduleOf(project);
    if (!schedule)
        return wrong(path + ": " + schedule.error().message);
    Study study{project.title,
                nullptr,
                {},
                std::move(*costs),
                std::move(*schedule),
                std::move(project.blocks)};
    if (project.family) {
        const Result<const Family*> family = findFamily(project.family->id);
        if (!family)
            return wrong(path + ": " + family.error().message);
        study.family = *family;
        study.options = project.family->options;
    }
    return study;
}

} // namespace

std::vector<Option> shapeOptions()
{
    const double most = static_cast<double>(maxPasses);
    std::vector<Option> options = {
        {.name = "devices",
         .kind = ValueKind::Whole,
         .placeholder = "P",
         .summary = "devices, p (default 4)",
         .section = shapeSection,
         .minimum = 1,
         .maximum = mostDevices},
        {.name = "micro-batches",
         .kind = ValueKind::Whole,
         .placeholder = "M",
         .summary = "micro-batches of one optimizer step, m (default 2p)",
         .section = shapeSection,
         .minimum = 1,
         .maximum = most},
        {.name = "steps",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "optimizer steps (default 1)",
         .section = shapeSection,
         .minimum = 1,
         .maximum = most},
        {.name = "segment-lengths",
         .kind = ValueKind::Text,
         .placeholder = "A,B,…",
         .summary = "lengths of a sequence's segments where they are not equal; equal-work: "
                    "lengths of equal work for --model",
         .section = shapeSection}};
    const std::vector<Option> parameters = parameterOptions();
    options.insert(options.end(), parameters.begin(), parameters.end());
    return options;
}

std::vector<Option> costOptions()
{
    const auto time = [](const char* name, const char* summary) {
        return Option{.name = name,
                      .kind = ValueKind::Number,
                      .placeholder = "MS",
                      .summary = summary,
                      .section = timesSection,
                      .minimum = 0,
                      .maximum = mostMs};
    };
    return {time("forward", "F of a micro-batch, in milliseconds (default 1)"),
            time("backward", "B, the backward for the input (default 1)"),
            time("weight", "W, the backward for the weights (default 1); BW takes B + W"),
            time("pair", "an overlapped F and BW (default: their sum)"),
            time("comm", "a message between two devices (default 0)"),
            time("update", "U, the optimizer's update (default 0)"),
            {.name = "stage-times",
             .kind = ValueKind::Text,
             .placeholder = "FILE",
             .summary = "CSV with the heading stage,forward,backward,weight: milliseconds of every "
                        "stage",
             .section = timesSection},
            {.name = memoryLimitName,
             .kind = ValueKind::Number,
             .placeholder = "N",
             .summary = "most activation on a device, in micro-batches: the searches stay below "
                        "it, everything else is checked against it",
             .section = memorySection,
             .minimum = 0.001,
             .maximum = static_cast<double>(maxPasses)},
            {.name = "kept-for-weight",
             .kind = ValueKind::Number,
             .placeholder = "SHARE",
             .summary = "part of an activation that stays between B and W (default 1)",
             .section = memorySection,
             .minimum = 0,
             .maximum = 1},
            {.name = "activation",
             .kind = ValueKind::Number,
             .placeholder = "BYTES",
             .summary = "what a micro-batch keeps on a device (default: not known)",
             .section = memorySection,
             .minimum = 0,
             .maximum = mostBytes},
            {.name = "model",
             .kind = ValueKind::Text,
             .placeholder = "FILE|PRESET",
             .summary = "a transformer, in the place of the times above: " + modelNames() +
                        ", or a JSON file",
             .section = modelSection},
            {.name = "hardware",
             .kind = ValueKind::Text,
             .placeholder = "PRESET",
             .summary = "the machine: " + hardwareNames() + " (default a100)",
             .section = modelSection},
            {.name = "split",
             .kind = ValueKind::Text,
             .placeholder = "HOW",
             .summary =
                 "layers of the stages: even (default), ends (one less at both ends), counts "
                 "such as 7,8,8,7, or a layout such as E|t*8|t*8L",
             .section = modelSection}};
}

tl::expected<Study, Failure> studyOf(const Family& family, const Arguments& arguments,
                                     OtherParameters others)
{
    const tl::expected<FamilyOptions, Failure> options = familyOptions(family, arguments, others);
    if (!options)
        return tl::unexpected<Failure>(options.error());
    const Result<PipelineSpec> spec = specOf(family, *options);
    if (!spec)
        return wrong(std::string(family.id) + ": " + spec.error().message);
    tl::expected<StudyCosts, Failure> costs = studyCosts(*spec, arguments);
    if (!costs)
        return tl::unexpected<Failure>(costs.error());
    Result<Schedule> schedule = family.build(*spec, *options, costs->costs);
    if (!schedule)
        return wrong(std::string(family.id) + ": " + schedule.error().message);
    return Study{std::string(family.title), &family, *options, std::move(*costs),
                 std::move(*schedule),      {}};
}

tl::expected<Study, Failure> studyOf(const std::string& word, const Arguments& arguments,
                                     OtherParameters others)
{
    const Result<const Family*> family = findFamily(word);
    if (family)
        return studyOf(**family, arguments, others);
    if (!isFile(word))
        return usage(family.error().message);
    return fileStudy(word, arguments);
}

tl::expected<BlockStudy, Failure> blockOf(const std::string& word, const Arguments& arguments)
{
    const Result<const Family*> family = findFamily(word);
    if (!family && isFile(word)) {
        tl::expected<ScheduleFile, Failure> file = wholeFile(word, arguments);
        if (!file)
            return tl::unexpected<Failure>(file.error());
        if (file->project.blocks.empty())
            return wrong(word + " has no building block");
        return BlockStudy{file->project.title, std::move(file->project.blocks.front()),
                          arguments.whole("micro-batches", file->project.draft.spec.microBatches)};
    }
    if (!family)
        return usage(family.error().message);
    const tl::expected<FamilyOptions, Failure> options =
        familyOptions(**family, arguments, OtherParameters::Refuse);
    if (!options)
        return tl::unexpected<Failure>(options.error());
    if ((*family)->block == nullptr)
        return wrong(std::string((*family)->id) + " has no building block");
    // Checks the ranges of the parameters, which `block` relies on.
    if (const Result<PipelineSpec> spec = specOf(**family, *options); !spec)
        return wrong(std::string((*family)->id) + ": " + spec.error().message);
    Result<BuildingBlock> block = (*family)->block(*options);
    if (!block)
        return wrong(std::string((*family)->id) + ": " + block.error().message);
    return BlockStudy{std::string((*family)->title), std::move(*block), options->microBatches};
}

std::string shapeText(const PipelineSpec& spec)
{
    const auto counted = [](int count, const char* noun) {
        return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
    };
    std::string text =
        counted(spec.devices, "device") + ", " + counted(spec.microBatches, "micro-batch");
    if (spec.microBatches != 1)
        text.insert(text.size() - 1, "e");
    std::vector<int> chunks(static_cast<std::size_t>(spec.devices));
    for (const int device : spec.routes.front().deviceOfStage)
        ++chunks[static_cast<std::size_t>(device)];
    const int most = *std::max_element(chunks.begin(), chunks.end());
    if (most > 1)
        text += ", " + counted(most, "chunk") + " a device";
    if (spec.routeCount() > 1)
        text += ", two routes";
    if (spec.segments() > 1)
        text += ", " + counted(spec.segments(), "segment");
    if (spec.steps > 1)
        text += ", " + counted(spec.steps, "step");
    return text;
}

std::string overLimit(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    const std::optional<MemoryOverflow> overflow = firstOverflow(schedule, costs, result);
    return overflow ? overflow->text(schedule.spec()) : std::string();
}

} // namespace pw::app
