// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/training.h"

#include "app/model_options.h"
#include "app/study_costs.h"
#include "core/base/try.h"
#include "executor/api/plan_settings.h"
#include "executor/model/fitting.h"
#include "executor/model/presets.h"

#include <algorithm>
#include <numeric>

namespace pw::app {

namespace {

constexpr const char* trainingSection = "The model that is trained";
constexpr const char* defaultSize = "small";
constexpr std::string_view fit = "fit";
constexpr std::string_view fitOfPart = "fit:";

/// A field of the model that an option sets.
struct ModelField
{
    const char* name;
    const char* summary;
    int exec::GptModel::*value;
    std::vector<OldSpelling> formerly{};
};

const ModelField fields[] = {
    {"layers", "transformer layers, over all stages", &exec::GptModel::layers},
    {"hidden", "width of the model", &exec::GptModel::hidden},
    {"heads", "attention heads", &exec::GptModel::heads},
    {"ffn", "width of the MLP (default: four times the width)", &exec::GptModel::ffn},
    {"sequence", "tokens of a sample", &exec::GptModel::sequence},
    {"vocabulary", "kinds of tokens", &exec::GptModel::vocabulary},
    {"micro-batch-size", "samples of a micro-batch", &exec::GptModel::samples, {{"samples"}}},
};

std::vector<std::string> sizes()
{
    std::vector<std::string> names;
    for (const exec::NamedGptModel& model : exec::namedGptModels())
        names.emplace_back(model.name);
    names.emplace_back(fit);
    return names;
}

std::string sizeSummary()
{
    std::string text = "where the fields below start from:";
    for (const exec::NamedGptModel& model : exec::namedGptModels())
        text += std::string(&model == &exec::namedGptModels().front() ? " " : "; ") +
                std::string(model.name) + ", " + std::string(model.summary);
    return text +
           "; fit, the largest that 80 % of the free memory of the GPUs holds, or another part of "
           "it as in fit:70% (default " +
           defaultSize + ")";
}

constexpr exec::OptimizerKind optimizerKinds[] = {
    exec::OptimizerKind::Sgd, exec::OptimizerKind::AdamW, exec::OptimizerKind::Muon};

/// @param model  what is trained; how far a step goes depends on its width
exec::Optimizer optimizerOf(const Arguments& arguments, const exec::GptModel& model)
{
    exec::Optimizer optimizer;
    optimizer.kind = optimizerKindOf(arguments);
    optimizer.learningRate = arguments.number("learning-rate", exec::usualLearningRate(model));
    optimizer.momentum = arguments.number("momentum", exec::usualMomentum(optimizer.kind));
    optimizer.weightDecay = arguments.number("weight-decay", optimizer.weightDecay);
    optimizer.clipNorm = arguments.number("clip-norm", optimizer.clipNorm);
    optimizer.delayCorrection = arguments.number("delay-correction", optimizer.delayCorrection);
    return optimizer;
}

/// What --size fit begins with: the largest of the named models.
constexpr const char* fitsFrom = "h200";

bool wantsFit(const Arguments& arguments)
{
    const std::string size = arguments.text("size");
    return size == fit || size.rfind(fitOfPart, 0) == 0;
}

/// The part of the free memory that --size asks for: fit, fit:70%, fit:0.7.
tl::expected<double, Failure> partOf(const std::string& size)
{
    constexpr double usual = 0.8; // the rest is for workspace and what nobody foresees
    if (size == fit)
        return usual;
    std::string_view rest = std::string_view(size).substr(fitOfPart.size());
    const bool percent = !rest.empty() && rest.back() == '%';
    if (percent)
        rest.remove_suffix(1);
    const std::optional<double> number = parseNumber(rest);
    const double part = number ? *number / (percent ? 100 : 1) : 0;
    if (part > 0 && part <= 1)
        return part;
    return usage("--size fit takes a part of the free memory up to 100 %, such as fit:70%, not " +
                 quotedWord(rest));
}

/// Everything of a training that neither the stages nor the memory decide.
tl::expected<Training, Failure> trainingFrom(const Arguments& arguments, const std::string& size)
{
    Training training;
    const Result<exec::GptModel> named = exec::findGptModel(size);
    if (!named)
        return usage(named.error().message);
    training.model = *named;
    for (const ModelField& field : fields) {
        if (arguments.has(field.name))
            training.model.*field.value = arguments.whole(field.name, 0);
    }
    if (arguments.has("bf16"))
        training.model.element = exec::Element::BFloat16;
    training.model.tf32 = arguments.has("tf32");
    training.model.flashAttention = arguments.has("flash-attention");
    training.optimizer = optimizerOf(arguments, training.model);
    training.seed = static_cast<std::uint64_t>(arguments.number("seed", 1));
    return training;
}

Option optionOf(const ModelField& field, double most)
{
    return {.name = field.name,
            .kind = ValueKind::Whole,
            .placeholder = "N",
            .summary = field.summary,
            .section = trainingSection,
            .minimum = 1,
            .maximum = most,
            .formerly = field.formerly};
}

} // namespace

std::vector<std::string> optimizerNames()
{
    std::vector<std::string> names;
    for (const exec::OptimizerKind kind : optimizerKinds)
        names.emplace_back(exec::name(kind));
    return names;
}

exec::OptimizerKind optimizerKindOf(const Arguments& arguments)
{
    const std::string asked = arguments.text("optimizer", "adamw");
    return *std::find_if(std::begin(optimizerKinds), std::end(optimizerKinds),
                         [&](exec::OptimizerKind kind) { return exec::name(kind) == asked; });
}

Option delayCorrectionOption(const std::string& usual, const char* section)
{
    constexpr double most = 10;
    return {.name = "delay-correction",
            .kind = ValueKind::Number,
            .placeholder = "X",
            .summary = "of gradients that are one step old (pipedream-2bw): a step goes further by "
                       "this part of its difference from the one before (default " +
                       usual + ")",
            .section = section,
            .minimum = 0,
            .maximum = most};
}

std::vector<Option> trainingOptions()
{
    constexpr double most = 1 << 24;
    constexpr double mostSeed = 1e15;
    std::vector<Option> options = {{.name = "size",
                                    .kind = ValueKind::Text,
                                    .placeholder = "NAME",
                                    .summary = sizeSummary(),
                                    .section = trainingSection,
                                    .choices = sizes(),
                                    .parametrised = "fit:P%"}};
    for (const ModelField& field : fields)
        options.push_back(optionOf(field, most));
    const auto number = [](const char* name, const char* summary, double maximum) {
        return Option{.name = name,
                      .kind = ValueKind::Number,
                      .placeholder = "X",
                      .summary = summary,
                      .section = trainingSection,
                      .minimum = 0,
                      .maximum = maximum};
    };
    const std::vector<Option> more = {
        {.name = "bf16",
         .summary = "weights and activations of 16 bits; sums and states stay at 32",
         .section = trainingSection},
        {.name = "tf32",
         .summary = "products of 32-bit floats with 10 bits of mantissa (CUDA only)",
         .section = trainingSection},
        {.name = "flash-attention",
         .summary = "keep no matrix of scores: the backward computes them again",
         .section = trainingSection},
        {.name = "optimizer",
         .kind = ValueKind::Text,
         .placeholder = "NAME",
         .summary =
             "sgd (with momentum), adamw or muon, whose steps for the matrices of layers are "
             "orthogonal and adamw's for the rest (default adamw)",
         .section = trainingSection,
         .choices = optimizerNames()},
        number("learning-rate",
               "of the optimizer (default 0.003, or 0.5 / hidden where that is less)", 1e3),
        number("momentum", "of sgd (default 0.9) or muon (default 0.95)", 1),
        number("weight-decay", "of adamw and muon, on matrices (default 0.01)", 1e3),
        delayCorrectionOption("0: none", trainingSection),
        number("clip-norm",
               "largest norm of all gradients together; larger ones are scaled down to it "
               "(default: no limit)",
               1e9),
        {.name = "post-validation",
         .summary = "updates do not wait for the norm of --clip-norm, and are taken back if it is "
                    "too large",
         .section = trainingSection},
        {.name = "zero-1",
         .summary = "every replica holds the optimizer's states of only its part of the weights, "
                    "and updates that part (ZeRO stage 1)",
         .section = trainingSection},
        {.name = "seed",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "of weights and data (default 1)",
         .section = trainingSection,
         .minimum = 0,
         .maximum = mostSeed}};
    options.insert(options.end(), more.begin(), more.end());
    return options;
}

std::optional<std::string> givenTrainingOption(const Arguments& arguments)
{
    for (const Option& option : trainingOptions()) {
        // Beside --model its fields are meant, which a model that is trained has too.
        const bool modelled = arguments.has("model") && isModelField(option.name);
        if (arguments.has(option.name) && !modelled)
            return option.name;
    }
    return std::nullopt;
}

tl::expected<Training, Failure> trainingOf(const Arguments& arguments, const PipelineSpec& spec)
{
    if (wantsFit(arguments))
        return usage("--size fit is for a run or a calibration on GPUs");
    PW_TRY(Training training, trainingFrom(arguments, arguments.text("size", defaultSize)));
    if (!arguments.has("layers"))
        training.model.layers = std::max(training.model.layers, spec.stages());
    PW_DO(exec::check(training.model));
    PW_TRY(LayerSplit split, splitAsked(arguments, training.model.layers, spec.stages()));
    training.split = std::move(split);
    return training;
}

tl::expected<Training, Failure> trainingOf(const Arguments& arguments, const Schedule& schedule,
                                           exec::Backend& backend)
{
    const PipelineSpec& spec = schedule.spec();
    if (!wantsFit(arguments))
        return trainingOf(arguments, spec);
    exec::FitRequest request;
    PW_TRY(request.part, partOf(arguments.text("size")));
    PW_TRY(request.pools, backend.memory(spec.devices));
    PW_TRY(Training training, trainingFrom(arguments, fitsFrom));
    request.model = training.model;
    request.optimizer = training.optimizer;
    request.choosesHidden = !arguments.has("hidden");
    request.choosesHeads = !arguments.has("heads");
    request.choosesLayers = !arguments.has("layers");
    request.choosesSequence = !arguments.has("sequence");
    // A split that cannot be is refused once, before sizes are tried.
    std::optional<Failure> refused;
    request.split = [&](int layers) -> Result<LayerSplit> {
        tl::expected<LayerSplit, Failure> split = splitAsked(arguments, layers, spec.stages());
        if (split)
            return std::move(*split);
        refused = split.error();
        return fail(ErrorCode::BadValue, split.error().message);
    };
    const Result<exec::GptModel> model = exec::fittingModel(schedule, request);
    if (!model && refused)
        return tl::unexpected<Failure>(*refused);
    if (!model)
        return wrong(model.error());
    training.model = *model;
    training.optimizer = optimizerOf(arguments, training.model);
    PW_TRY(LayerSplit split, splitAsked(arguments, training.model.layers, spec.stages()));
    training.split = std::move(split);
    return training;
}

std::string fitText(const Arguments& arguments, const exec::GptModel& model)
{
    if (!wantsFit(arguments))
        return {};
    std::string text = "--size " + arguments.text("size") + " is";
    for (const ModelField& field : fields) {
        if (const int value = model.*field.value; value > 0)
            text += std::string(" --") + field.name + " " + std::to_string(value);
    }
    if (model.element == exec::Element::BFloat16)
        text += " --bf16";
    if (model.tf32)
        text += " --tf32";
    if (model.flashAttention)
        text += " --flash-attention";
    return text;
}

tl::expected<void, Failure> applyTraining(exec::RunPlan& plan, const Arguments& arguments,
                                          const std::string& backend)
{
    plan.postValidation = arguments.has("post-validation");
    if (plan.postValidation && plan.optimizer.clipNorm <= 0)
        return usage("--post-validation needs --clip-norm above 0: else nothing waits for a norm");
    if (plan.optimizer.clipNorm > 0) {
        PW_DO(exec::checkClipping(plan));
    }
    if (plan.optimizer.delayCorrection > 0) {
        PW_DO(exec::checkDelayCorrection(plan));
    }
    if (arguments.has("zero-1")) {
        PW_DO(exec::shardOptimizer(plan));
    }
    PW_DO(exec::checkBackend(plan, backend));
    return {};
}

Training withoutTraining(const PipelineSpec& spec)
{
    Training training;
    training.model.layers = spec.stages();
    constexpr std::int64_t longest = 1 << 20;
    training.model.sequence = static_cast<int>(
        std::min(longest, std::accumulate(spec.segmentLengths.begin(), spec.segmentLengths.end(),
                                          std::int64_t{0})));
    training.split.assign(static_cast<std::size_t>(spec.stages()), {1, false, false, 0});
    training.split.front().embedding = true;
    training.split.back().outputs = 1;
    return training;
}

} // namespace pw::app
