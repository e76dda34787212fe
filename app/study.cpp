// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/study.h"

#include "app/file_options.h"
#include "app/model_options.h"
#include "app/own_families.h"
#include "app/standard_input.h"
#include "app/study_shape.h"
#include "app/trace_files.h"
#include "core/analysis/fit.h"
#include "core/analysis/trace_plan.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/sequence_partition.h"
#include "core/families/family_names.h"
#include "core/io/file_problem.h"
#include "core/model/replicas.h"
#include "core/model/stage_replicas.h"
#include "core/reading/sniff.h"
#include "core/sim/memory.h"
#include "core/system/files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace pw::app {

namespace {

constexpr const char* shapeSection = "Shape";
constexpr const char* familySection = "Parameters of families";

constexpr double mostDevices = 65'536;

constexpr const char* equalWork = "equal-work";

bool takesParameter(const Family& family, std::string_view name)
{
    return findParameter(family, name) != nullptr;
}

/// Parameters of all families, each name once: the widest range, and who has it.
std::vector<Option> parameterOptions()
{
    std::vector<Option> options;
    std::vector<std::vector<std::string>> owners;
    for (const Family& family : allFamilies()) {
        for (const Parameter& parameter : family.parameters) {
            if (parameter.name == recomputeName)
                continue; // every family can, see reshapeOptions
            if (parameter.role == ParameterRole::MemoryLimit)
                continue; // every family is checked against it, see costOptions
            const auto known = std::find_if(options.begin(), options.end(), [&](const Option& o) {
                return o.name == parameter.name;
            });
            if (known != options.end()) {
                known->minimum = std::min(known->minimum, parameter.minimum);
                known->maximum = std::max(known->maximum, parameter.maximum);
                if (!parameter.integer())
                    known->kind = ValueKind::Number;
                owners[static_cast<std::size_t>(known - options.begin())].emplace_back(family.id);
                continue;
            }
            options.push_back(optionOf(parameter));
            options.back().section = familySection;
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
            return fail(ErrorCode::BadValue,
                        "--segment-lengths takes whole numbers from 1 with commas between, not %1",
                        quotedWord(text));
        lengths.push_back(static_cast<int>(*length));
        begin = end + 1;
    }
    return lengths;
}

/// Lengths with equal work, for the model and as many segments as the family has. Empty for a
/// family without segments.
tl::expected<std::vector<int>, Failure> equalWorkLengths(const Family& family,
                                                         const Arguments& arguments)
{
    if (!arguments.has("model"))
        return usage("--segment-lengths equal-work needs --model");
    const Parameter* segmentsOf = findParameter(family, ParameterRole::Segments);
    if (segmentsOf == nullptr)
        return std::vector<int>();
    PW_TRY(const LanguageModel model, modelOf(arguments));
    FamilyOptions options;
    if (const std::optional<double> segments = arguments.number(segmentsOf->name))
        options.parameters = {{std::string(segmentsOf->name), *segments}};
    Result<std::vector<int>> lengths =
        equalWorkSegments(model.dense, chosenWhole(options, *segmentsOf));
    if (!lengths)
        return usage(lengths.error().message);
    return std::move(*lengths);
}

tl::expected<FamilyOptions, Failure> familyOptions(const Family& family, const Arguments& arguments,
                                                   OtherParameters others)
{
    FamilyOptions options;
    const PipelineSize size = stageReplicaSize(arguments);
    options.devices = arguments.whole("devices", size.stages > 0 ? size.stages : options.devices);
    options.microBatches =
        arguments.whole("micro-batches", size.stages > 0 ? size.microBatches : 2 * options.devices);
    options.steps = arguments.whole("steps", 1);
    options.updates = arguments.number("update", 0) > 0;
    const bool segmented = findParameter(family, ParameterRole::Segments) != nullptr;
    if (!segmented && others == OtherParameters::Refuse && arguments.has("segment-lengths"))
        return usage(std::string(family.id) + " takes no --segment-lengths; it has no segments");
    if (arguments.text("segment-lengths") == equalWork) {
        PW_TRY(std::vector<int> lengths, equalWorkLengths(family, arguments));
        options.segmentLengths = std::move(lengths);
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
    // A family that knows how to recompute has closed forms for it.
    if (arguments.text(recomputeName) == allStages && takesParameter(family, recomputeName))
        options.parameters.emplace_back(recomputeName, 1);
    if (takesParameter(family, memoryLimitName)) {
        PW_TRY(const MemoryLimit limit, readMemoryLimit(arguments));
        double microBatches = limit.microBatches;
        if (limit.chunks > 0) {
            PW_TRY(const PipelineSpec spec, specOf(family, options));
            microBatches = limit.inMicroBatches(spec);
        }
        if (microBatches > 0)
            options.parameters.emplace_back(memoryLimitName, microBatches);
    }
    return options;
}

/// Gives a family that takes its limit in micro-batches one that was typed in bytes: what has room
/// beside all that is there whatever the order.
///
/// @return whether the family has one now
/// @error Wrong  nothing, or too little, has room
tl::expected<bool, Failure> limitInMicroBatches(const Family& family, FamilyOptions& options,
                                                const Costs& costs, const PipelineSpec& spec,
                                                const Arguments& arguments)
{
    PW_TRY(const MemoryLimit limit, readMemoryLimit(arguments));
    const auto parameter =
        std::find_if(family.parameters.begin(), family.parameters.end(),
                     [](const Parameter& one) { return one.name == memoryLimitName; });
    if (limit.bytes == 0 || parameter == family.parameters.end())
        return false;
    double fits = microBatchesWithin(costs, spec);
    if (parameter->integer())
        fits = std::floor(fits);
    if (fits < parameter->minimum)
        return wrong(std::string(family.id) + ": in " + byteText(limit.bytes) +
                     " there is room for " + plainNumber(std::max(fits, 0.0)) +
                     " micro-batches of activation on the fullest device, and the family needs " +
                     plainNumber(parameter->minimum));
    std::erase_if(options.parameters, [](const auto& one) { return one.first == memoryLimitName; });
    options.parameters.emplace_back(memoryLimitName, std::min(fits, parameter->maximum));
    return true;
}

/// Whether a word that is not a family names a file: by its look, or because there is one.
bool isFile(const std::string& word)
{
    return word == standardInput || word.find('.') != std::string::npos ||
           word.find_first_of(sys::pathSeparators) != std::string::npos ||
           fileKind(word) != FileKind::Missing;
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
    const std::vector<Option> beside = reshapeOptions();
    for (const Option& option : shapeOptions()) {
        const bool ofBoth = std::any_of(beside.begin(), beside.end(), [&](const Option& other) {
            return other.name == option.name;
        });
        // A choice without a value is the flag of the command: `convert --order`.
        const bool other = !option.choices.empty() && arguments.text(option.name).empty();
        if (arguments.has(option.name) && !ofBoth && !other)
            return option.name;
    }
    return {};
}

/// Whether costs that were measured know every pass of the schedule.
tl::expected<void, Failure> checkMeasured(const StudyCosts& costs, const Schedule& schedule)
{
    if (costs.measured == nullptr)
        return {};
    PW_DO(check(*costs.measured, schedule));
    return {};
}

/// The study of a trace: its order, with the costs that were fitted to it. Nothing where no order
/// can be found in it.
tl::expected<std::optional<Study>, Failure> traceStudy(const std::string& path,
                                                       const Arguments& arguments)
{
    std::ostringstream unseen;
    Console silent{unseen, unseen, Screen()};
    const tl::expected<ReadTrace, Failure> read = readTrace({path}, arguments, silent);
    if (!read || !read->aligned().pipeline.schedule)
        return std::nullopt;
    for (const Option& option : costOptions()) {
        if (arguments.has(option.name) && option.name != memoryLimitName &&
            option.name != linkTraceName && option.name != passOverheadName &&
            option.name != "comm")
            return usage("--" + option.name +
                         " is for families and files; what passes take is "
                         "fitted to the trace");
    }
    const RecoveredPipeline& pipeline = read->aligned().pipeline;
    PW_TRY(FittedCosts fitted, fitTrace(read->trace, pipeline));
    CostSource source;
    source.measured = std::make_shared<CostsFile>(std::move(fitted.file));
    PW_TRY(StudyCosts costs, studyCosts(pipeline.schedule->spec(), arguments, source));
    costs.text = "times fitted to the trace";
    PW_DO(addMeasuredMemory(costs.costs, pipeline));
    PW_TRY(Study study, reshaped(Study{std::filesystem::path(path).filename().string(),
                                       nullptr,
                                       {},
                                       std::move(costs),
                                       *pipeline.schedule,
                                       {},
                                       {},
                                       {},
                                       false},
                                 arguments));
    return std::optional<Study>(std::move(study));
}

/// Gives the family of a project the shape and the parameters of the command line; what that does
/// not say stays as the file has it.
tl::expected<void, Failure> shapeAsAsked(Project& project, const Arguments& arguments,
                                         OtherParameters others)
{
    PW_TRY(const Family* const family, findFamily(project.family->id));
    PW_TRY(const FamilyOptions asked, familyOptions(*family, arguments, others));
    FamilyOptions& own = project.family->options;
    if (arguments.has("devices"))
        own.devices = asked.devices;
    // As of the families beside it, which otherwise had other work.
    if (arguments.has("devices") || arguments.has("micro-batches"))
        own.microBatches = asked.microBatches;
    if (arguments.has("steps"))
        own.steps = asked.steps;
    if (arguments.has("segment-lengths"))
        own.segmentLengths = asked.segmentLengths;
    for (const auto& [name, value] : asked.parameters) {
        std::erase_if(own.parameters,
                      [&name = name](const auto& one) { return one.first == name; });
        own.parameters.emplace_back(name, value);
    }
    PW_TRY(project.draft.spec, specOf(*family, own));
    return {};
}

/// The study of a file. Cost options on the command line take the place of the file's costs; those
/// of a shape count where the file names the family that makes its order.
tl::expected<Study, Failure> fileStudy(const std::string& path, const Arguments& arguments,
                                       OtherParameters others, const CostSource& source)
{
    const std::string decided = decidedByFile(arguments);
    PW_DO(checkModelFields(arguments, source.trains));
    tl::expected<ScheduleFile, Failure> read = wholeFile(path, arguments);
    if (!decided.empty() && (!read || !read->project.family))
        return usage("--" + decided + " is for families; the file decides it");
    if (!read && looksLikeTrace(path)) {
        tl::expected<std::optional<Study>, Failure> traced = traceStudy(path, arguments);
        if (!traced)
            return tl::unexpected<Failure>(traced.error());
        if (*traced)
            return std::move(**traced);
    }
    PW_TRY(ScheduleFile file, std::move(read));
    Project& project = file.project;
    if (!decided.empty()) {
        PW_DO(shapeAsAsked(project, arguments, others));
    }
    const bool ownCosts = file.hasCosts && !hasCostOptions(arguments) && source.measured == nullptr;
    PW_TRY(StudyCosts costs, ownCosts ? costsOfFile(project, arguments)
                                      : studyCosts(project.draft.spec, arguments, source));
    costs.costs.offload = project.offload;
    if (project.family) {
        PW_TRY(const Family* const family, findFamily(project.family->id));
        PW_DO(limitInMicroBatches(*family, project.family->options, costs.costs, project.draft.spec,
                                  arguments));
    }
    // The family of a project builds for the costs that are asked for.
    if (costs.uniform)
        project.costs = *costs.uniform;
    else
        project.costs = costs.costs;
    Result<Schedule> schedule = scheduleOf(project);
    if (!schedule)
        return wrong(path + ": " + schedule.error().message);
    PW_DO(checkMeasured(costs, *schedule));
    Study study{project.title,
                nullptr,
                {},
                std::move(costs),
                std::move(*schedule),
                std::move(project.blocks),
                std::move(project.notes),
                std::move(project.annotations),
                false};
    if (project.family) {
        const Result<const Family*> family = findFamily(project.family->id);
        if (!family)
            return wrong(path + ": " + family.error().message);
        study.family = *family;
        study.options = project.family->options;
    }
    return reshaped(std::move(study), arguments);
}

} // namespace

Option optionOf(const Parameter& parameter)
{
    Option option;
    option.name = parameter.name;
    option.summary = parameter.summary;
    option.minimum = parameter.minimum;
    option.maximum = parameter.maximum;
    switch (parameter.type) {
    case ParameterType::Flag:
        option.kind = ValueKind::Switch;
        break;
    case ParameterType::Choice:
        option.kind = ValueKind::Text;
        option.numbered = true;
        for (const std::string_view choice : parameter.choices) {
            option.placeholder += (option.placeholder.empty() ? "" : "|") + std::string(choice);
            option.choices.emplace_back(choice);
        }
        break;
    case ParameterType::Whole:
    case ParameterType::Number:
        option.kind = parameter.integer() ? ValueKind::Whole : ValueKind::Number;
        option.placeholder = "N";
    }
    return option;
}

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
         .summary = "lengths of a sequence's segments if they are not equal; equal-work: lengths "
                    "of equal work for --model",
         .section = shapeSection}};
    const std::vector<Option> reshaping = reshapeOptions();
    options.insert(options.end(), reshaping.begin(), reshaping.end());
    const std::vector<Option> parameters = parameterOptions();
    options.insert(options.end(), parameters.begin(), parameters.end());
    return options;
}

tl::expected<Study, Failure> studyOf(const Family& family, const Arguments& arguments,
                                     OtherParameters others, const CostSource& source)
{
    PW_TRY(FamilyOptions options, familyOptions(family, arguments, others));
    Result<PipelineSpec> spec = specOf(family, options);
    if (!spec)
        return wrong(std::string(family.id) + ": " + spec.error().message);
    PW_TRY(StudyCosts costs, studyCosts(*spec, arguments, source));
    PW_TRY(const bool limited, limitInMicroBatches(family, options, costs.costs, *spec, arguments));
    if (limited) {
        spec = specOf(family, options);
        if (!spec)
            return wrong(std::string(family.id) + ": " + spec.error().message);
        PW_TRY(costs, studyCosts(*spec, arguments, source));
    }
    Result<Schedule> schedule = family.build(*spec, options, costs.costs);
    if (!schedule)
        return wrong(std::string(family.id) + ": " + schedule.error().message);
    PW_DO(checkMeasured(costs, *schedule));
    return reshaped(Study{std::string(family.title),
                          &family,
                          options,
                          std::move(costs),
                          std::move(*schedule),
                          {},
                          {},
                          {},
                          false},
                    arguments);
}

Result<const Family*> familyOfWord(const std::string& word)
{
    if (isFamilyFile(word))
        return useFamilyFile(word);
    const Result<const Family*> exact = findFamily(word);
    return exact || fileKind(word) != FileKind::Missing ? exact : familyNamed(word);
}

tl::expected<Study, Failure> studyOf(const std::string& word, const Arguments& arguments,
                                     OtherParameters others, const CostSource& source)
{
    const Result<const Family*> family = familyOfWord(word);
    if (family)
        return studyOf(**family, arguments, others, source);
    if (isFamilyFile(word))
        return wrong(family.error());
    if (!isFile(word))
        return usage(family.error().message);
    return fileStudy(word, arguments, others, source);
}

tl::expected<BlockStudy, Failure> blockOf(const std::string& word, const Arguments& arguments)
{
    const Result<const Family*> family = familyOfWord(word);
    if (!family && isFamilyFile(word))
        return wrong(family.error());
    if (!family && isFile(word)) {
        PW_TRY(ScheduleFile file, wholeFile(word, arguments));
        if (file.project.blocks.empty())
            return wrong(word + " has no building block");
        return BlockStudy{file.project.title, std::move(file.project.blocks.front()),
                          arguments.whole("micro-batches", file.project.draft.spec.microBatches)};
    }
    if (!family)
        return usage(family.error().message);
    PW_TRY(const FamilyOptions options,
           familyOptions(**family, arguments, OtherParameters::Refuse));
    if ((*family)->block == nullptr)
        return wrong(std::string((*family)->id) + " has no building block");
    // Checks the ranges of the parameters, which `block` relies on.
    if (const Result<PipelineSpec> spec = specOf(**family, options); !spec)
        return wrong(std::string((*family)->id) + ": " + spec.error().message);
    Result<BuildingBlock> block = (*family)->block(options);
    if (!block)
        return wrong(std::string((*family)->id) + ": " + block.error().message);
    return BlockStudy{std::string((*family)->title), std::move(*block), options.microBatches};
}

namespace {

/// @param own  what lies between the micro-batches and the steps
std::string sizeTextAround(const PipelineSpec& spec, const std::string& own)
{
    const int replicas = stageReplicasOf(spec).empty() ? replicasOf(spec) : 1;
    std::string text = countText(spec.devices / replicas, "device") + ", " +
                       countText(spec.microBatches / replicas, "micro-batch");
    if (spec.microBatches != replicas)
        text.insert(text.size() - 1, "e");
    text += own;
    if (spec.steps > 1)
        text += ", " + countText(spec.steps, "step");
    if (replicas > 1)
        text = countText(replicas, "replica") + " of " + text;
    return text;
}

} // namespace

std::string shapeText(const PipelineSpec& spec)
{
    const auto joined = [](const std::vector<int>& numbers) {
        std::string text;
        for (const int number : numbers)
            text += (text.empty() ? "" : ",") + std::to_string(number);
        return text;
    };
    const std::vector<int> ofStages = stageReplicasOf(spec);
    const int routes = spec.routeCount() / (ofStages.empty() ? replicasOf(spec) : 1);
    std::vector<int> chunks(static_cast<std::size_t>(spec.devices));
    for (const DeviceId device : spec.routes.front().deviceOfStage)
        ++chunks[device.index()];
    const int most = *std::max_element(chunks.begin(), chunks.end());
    std::string own;
    if (most > 1)
        own += ", " + countText(most, "chunk") + " a device";
    if (!ofStages.empty())
        own += ", stages on " + joined(ofStages) + " of them";
    else if (routes > 1)
        own += ", two routes";
    if (spec.segments() > 1)
        own += ", " + countText(spec.segments(), "segment");
    return sizeTextAround(spec, own);
}

std::string sizeText(const PipelineSpec& spec)
{
    return sizeTextAround(spec, {});
}

std::string overLimit(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    const std::optional<MemoryOverflow> overflow = firstOverflow(schedule, costs, result);
    return overflow ? overflow->text(schedule.spec()) : Sentence();
}

} // namespace pw::app
