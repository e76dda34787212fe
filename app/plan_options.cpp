// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/plan_options.h"

#include "app/engine_options.h"
#include "app/model_options.h"
#include "app/own_families.h"
#include "app/plan_cluster.h"
#include "core/base/number.h"
#include "core/base/try.h"
#include "core/cost/model_fields.h"
#include "core/io/model_file.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace pw::app {

namespace {

constexpr const char* planWishSection = "What you give of the plan; the rest is searched";

/// The option of a model's field: kvHeads → kv-heads.
std::string planFieldOption(std::string_view field)
{
    std::string name;
    for (const char c : field) {
        if (std::isupper(static_cast<unsigned char>(c)) != 0)
            name += '-';
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
}

/// Fields of a model that are a plan's degrees.
bool isPlanDegree(std::string_view option)
{
    return option == "tensor-parallel" || option == "data-parallel" ||
           option == "micro-batch-size" || option == "sequence-parallel" ||
           option == "distributed-optimizer" || option == recomputePolicyName ||
           option == "fused-accumulation" || option == "overlap-tensor" ||
           option == "context-parallel" || option == "expert-parallel";
}

/// What a plan turns on and off, or places elsewhere.
void appendPlanSwitches(std::vector<Option>& all)
{
    const std::pair<const char*, const char*> flags[] = {
        {"sequence-parallel", "what tensor parallelism does not split is split by tokens"},
        {"overlap-reduction", "gradients are summed under the last backward"},
        {"overlap-tensor", "tensor collectives run beside their products"},
        {"fused-accumulation", "products of gradients add them to their sum"}};
    for (const auto& [name, summary] : flags) {
        all.push_back({.name = name,
                       .kind = ValueKind::Text,
                       .placeholder = "yes|no",
                       .summary = std::string(summary) + " (default: as --zero)",
                       .section = planWishSection,
                       .choices = {"yes", "no"}});
    }
    all.push_back({.name = "vocabulary-parallel",
                   .kind = ValueKind::Text,
                   .placeholder = "yes|no",
                   .summary = "all devices of a pipeline share embedding and output matrix "
                              "(default: no)",
                   .section = planWishSection,
                   .choices = {"yes", "no"}});
    all.push_back({.name = "offload",
                   .kind = ValueKind::Text,
                   .placeholder = "WHAT",
                   .summary = "activations that wait in the host's memory: none (default), "
                              "activations (as many layers as their copies hide), all, search "
                              "(these three), or shares of every stage such as 1 or 0.5,0.5,0.25,0",
                   .section = planWishSection});
    for (Option& option : engineOptions(planWishSection))
        all.push_back(std::move(option));
}

std::vector<Option> planWishOptions()
{
    std::vector<Option> all = {
        planCount("global-batch", "samples of an iteration (required)", planWishSection),
        planCount("micro-batch-size", "samples of a micro-batch", planWishSection),
        planCount("tensor-parallel",
                  "accelerators that share every layer, and are one device of the pipeline",
                  planWishSection),
        planCount("pipeline-parallel", "devices in a pipeline", planWishSection),
        planCount("data-parallel", "replicas whose gradients are summed once a step",
                  planWishSection),
        planCount("context-parallel", "devices that share a sequence", planWishSection),
        planCount("expert-parallel", "devices that share the experts", planWishSection),
        planCount("chunks", "stages of a device", planWishSection, 4096),
        {.name = recomputePolicyName,
         .kind = ValueKind::Text,
         .placeholder = "HOW",
         .summary = recomputePolicySummary,
         .section = planWishSection,
         .choices = {recomputePolicyNames.begin(), recomputePolicyNames.end()},
         .formerly = {{"recompute"}}},
        planCount("recompute-layers",
                  "how many layers of every stage --recompute-policy is for, from its first on "
                  "(default: all)",
                  planWishSection),
        {.name = "family",
         .kind = ValueKind::Text,
         .placeholder = "F",
         .summary = "schedule family; `families` lists them",
         .section = planWishSection},
        {.name = "parameter",
         .kind = ValueKind::Text,
         .placeholder = "NAME=VALUE",
         .summary = "a parameter of the family; may be given several times",
         .section = planWishSection,
         .repeats = true},
        {.name = "split",
         .kind = ValueKind::Text,
         .placeholder = "LAYERS",
         .summary =
             "layers of every stage (7,8,8,7), even, or best; default: best, or even if a shape "
             "without --model leaves one configuration",
         .section = planWishSection},
        {.name = "zero",
         .kind = ValueKind::Whole,
         .placeholder = "0..3",
         .summary = "what replicas share: 1 optimizer, 2 gradients, 3 weights too (default: 1 for "
                    "current presets, otherwise 0)",
         .section = planWishSection,
         .minimum = 0,
         .maximum = 3}};
    appendPlanSwitches(all);
    return all;
}

void replaceModelFields(LanguageModel& planned, const Arguments& arguments)
{
    for (const FurtherNumber& number : furtherModelNumbers()) {
        const std::string option = planFieldOption(number.name);
        if (!isPlanDegree(option) && arguments.has(option))
            number.of(planned) = arguments.whole(option, 0);
    }
    TransformerModel& model = planned.dense;
    replacePrecision(model, arguments);
    for (const ModelNumber& number : modelNumbers) {
        const std::string option = planFieldOption(number.name);
        if (!isPlanDegree(option) && number.name != "microBatch" && arguments.has(option))
            model.*number.member = arguments.whole(option, 0);
    }
    for (const ModelFlag& flag : modelFlags) {
        const std::string option = planFieldOption(flag.name);
        if (!isPlanDegree(option) && arguments.has(option))
            model.*flag.member = arguments.text(option) == "yes";
    }
}

tl::expected<LanguageModel, Failure> planModel(const Arguments& arguments)
{
    LanguageModel model;
    if (arguments.has("model")) {
        Result<LanguageModel> loaded = loadModel(arguments.text("model"));
        if (!loaded)
            return usage(loaded.error().message);
        model = std::move(*loaded);
    } else {
        for (const char* needed : {"hidden", "layers", "heads", "sequence"}) {
            if (!arguments.has(needed))
                return usage("--model, or --hidden, --layers, --heads and --sequence, say what is "
                             "planned; --" +
                             std::string(needed) + " is missing");
        }
        model.dense.vocabulary = 51200;
    }
    replaceModelFields(model, arguments);
    if (const Result<void> good = checkShape(model); !good)
        return usage(good.error().message);
    return model;
}

/// Layers of every stage from text: "7,8,8,7".
tl::expected<std::vector<int>, Failure> planSplitOfText(const std::string& text)
{
    std::vector<int> split;
    std::string_view rest = text;
    for (;;) {
        const std::size_t comma = rest.find(',');
        const auto layers = wholeNumber(rest.substr(0, comma));
        if (!layers || *layers < 0 || *layers > 100'000)
            return usage(
                "--split takes even, best, or layers of every stage such as 7,8,8,7, not " +
                quotedWord(text));
        split.push_back(static_cast<int>(*layers));
        if (comma == std::string_view::npos)
            return split;
        rest.remove_prefix(comma + 1);
    }
}

/// What waits in the host's memory, from text.
tl::expected<void, Failure> readPlanOffload(const std::string& text, plan::Wish& wish)
{
    if (text == "search") {
        wish.offload.reset();
        return {};
    }
    for (const plan::OffloadPolicy policy :
         {plan::OffloadPolicy::None, plan::OffloadPolicy::Activations, plan::OffloadPolicy::All}) {
        if (text == name(policy)) {
            wish.offload = policy;
            return {};
        }
    }
    wish.offload = plan::OffloadPolicy::Shares;
    std::string_view rest = text;
    for (;;) {
        const std::size_t comma = rest.find(',');
        const auto share = decimalNumber(rest.substr(0, comma));
        if (!share || !(*share >= 0 && *share <= 1))
            return usage("--offload takes none, activations, all, search, or shares of 0 to 1 "
                         "such as 0.5,0.5,0.25,0, not " +
                         quotedWord(text));
        wish.offloadShares.push_back(*share);
        if (comma == std::string_view::npos)
            return {};
        rest.remove_prefix(comma + 1);
    }
}

tl::expected<void, Failure> readPlanParameters(const Arguments& arguments, plan::Wish& wish)
{
    for (const std::string& text : arguments.texts("parameter")) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const auto family = findFamily(wish.family);
        const Parameter* parameter = family ? findParameter(**family, name) : nullptr;
        std::optional<double> value;
        if (equals != std::string::npos && parameter != nullptr) {
            const Result<double> read =
                readValue(*parameter, std::string_view(text).substr(equals + 1));
            value = read ? std::optional(*read) : std::nullopt;
        } else if (equals != std::string::npos) {
            value = decimalNumber(std::string_view(text).substr(equals + 1));
        }
        if (!value)
            return usage("--parameter takes NAME=VALUE, not " + quotedWord(text));
        if (wish.family.empty())
            return usage("--parameter needs --family");
        wish.parameters.emplace_back(name, *value);
    }
    return {};
}

/// Whether the degrees leave one configuration.
bool isSinglePlan(const plan::Wish& wish)
{
    return wish.pipelineParallel > 0 && wish.tensorParallel > 0 && wish.microBatchSize > 0 &&
           (!wish.family.empty() || wish.pipelineParallel == 1) && wish.recompute.has_value();
}

} // namespace

std::vector<Option> planningOptions()
{
    std::vector<Option> all = {{.name = "model",
                                .kind = ValueKind::Text,
                                .placeholder = "PRESET|FILE",
                                .summary = "the model to train; without it its shape is given by "
                                           "--hidden, --layers, --heads, --sequence"}};
    for (Option& option : planClusterOptions())
        all.push_back(std::move(option));
    for (Option& option : planWishOptions())
        all.push_back(std::move(option));
    for (Option& field : modelFieldOptions()) {
        if (!isPlanDegree(field.name))
            all.push_back(std::move(field));
    }
    return all;
}

tl::expected<PlanQuestion, Failure> planQuestion(const Arguments& arguments)
{
    PW_TRY(LanguageModel model, planModel(arguments));
    PW_TRY(plan::Cluster cluster, planCluster(arguments));
    if (!arguments.has("global-batch"))
        return usage("--global-batch is missing: samples of an iteration");
    plan::Wish wish;
    wish.globalBatch = arguments.whole("global-batch", 1);
    wish.microBatchSize = arguments.whole("micro-batch-size", 0);
    wish.tensorParallel = arguments.whole("tensor-parallel", 0);
    wish.pipelineParallel = arguments.whole("pipeline-parallel", 0);
    wish.dataParallel = arguments.whole("data-parallel", 0);
    wish.contextParallel = arguments.whole("context-parallel", 0);
    wish.expertParallel = arguments.whole("expert-parallel", 0);
    wish.chunks = arguments.whole("chunks", 0);
    if (arguments.has("family")) {
        const Result<const Family*> family = familyOrFile(arguments.text("family"));
        if (!family)
            return usage("--family: " + family.error().message);
        wish.family = (*family)->id;
    }
    wish.rows = arguments.whole("top", 10);
    if (arguments.has(recomputePolicyName)) {
        const auto found = std::find(recomputePolicyNames.begin(), recomputePolicyNames.end(),
                                     arguments.text(recomputePolicyName));
        wish.recompute = static_cast<RecomputePolicy>(found - recomputePolicyNames.begin());
    }
    if (arguments.has("recompute-layers")) {
        if (wish.recompute.value_or(RecomputePolicy::None) == RecomputePolicy::None)
            return usage("--recompute-layers needs --recompute-policy selective or full");
        wish.recomputedLayers = arguments.whole("recompute-layers", 1);
    }
    plan::setUsualTraining(wish, model);
    wish.zero = arguments.whole("zero", wish.zero);
    const std::pair<const char*, bool plan::Wish::*> flags[] = {
        {"sequence-parallel", &plan::Wish::sequenceParallel},
        {"overlap-reduction", &plan::Wish::overlapReduction},
        {"overlap-tensor", &plan::Wish::overlapTensor},
        {"fused-accumulation", &plan::Wish::fusedAccumulation}};
    for (const auto& [name, flag] : flags) {
        if (arguments.has(name))
            wish.*flag = arguments.text(name) == "yes";
    }
    wish.overlapTensor = wish.overlapTensor && wish.sequenceParallel;
    // No engine has it as it comes: only where it is asked for.
    wish.vocabularyParallel = arguments.text("vocabulary-parallel", "no") == "yes";
    PW_TRY(wish.engine, engineOf(arguments));
    PW_DO(readPlanParameters(arguments, wish));
    PW_DO(readPlanOffload(arguments.text("offload", "none"), wish));
    // Samples are whole in few degrees: context parallelism is not guessed for a shape that is
    // evaluated alone.
    if (isSinglePlan(wish) && wish.contextParallel == 0)
        wish.contextParallel = 1;
    // Runs of a shape that is evaluated alone are those of engines without a layout.
    const bool evenAlone = isSinglePlan(wish) && !arguments.has("model");
    const std::string split = arguments.text("split", evenAlone ? "even" : "best");
    if (split == "even") {
        wish.evenSplit = true;
    } else if (split != "best") {
        PW_TRY(wish.split, planSplitOfText(split));
        int sum = 0;
        for (const int one : wish.split)
            sum += one;
        if (sum != model.dense.layers)
            return usage("--split has " + std::to_string(sum) + " layers, the model has " +
                         std::to_string(model.dense.layers));
    }
    return PlanQuestion{std::move(model), std::move(cluster), std::move(wish)};
}

} // namespace pw::app
