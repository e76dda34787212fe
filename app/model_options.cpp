// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/model_options.h"

#include "app/training.h"
#include "core/cost/model_fields.h"
#include "core/io/model_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>

namespace pw::app {

namespace {

constexpr const char* fieldSection = "Single fields of the model, instead of its own";
constexpr const char* precisionOption = "precision";

struct FieldHelp
{
    std::string_view field;
    const char* summary;
};

constexpr FieldHelp fieldHelp[] = {
    {"layers", "transformer layers, over all stages"},
    {"hidden", "width of the model"},
    {"heads", "attention heads"},
    {"kvHeads", "heads of keys and values; 0: as many as heads"},
    {"ffn", "width of the MLP; 0: four times the model's"},
    {"sequence", "tokens of a sample"},
    {"positions", "learned positions; -1: as many as tokens, 0: none"},
    {"vocabulary", "kinds of tokens"},
    {"microBatch", "samples of a micro-batch"},
    {"tensorParallel", "accelerators that share every layer, and are one device of the pipeline"},
    {"dataParallel", "replicas whose gradients are summed once a step"},
    {"elementBytes", "bytes of an activation's element"},
    {"weightBytes", "bytes of a parameter"},
    {"gradientBytes", "bytes of a parameter's gradient"},
    {"optimizerBytes", "bytes of a parameter in the optimizer"},
    {"gatedMlp", "three matrices in the MLP (SwiGLU)"},
    {"biases", "biases and LayerNorm; no: RMSNorm"},
    {"tiedEmbedding", "the output layer uses the embedding's weights"},
    {"causal", "a token sees only earlier ones"},
    {"padsVocabulary", "odd parts of the vocabulary are padded to a multiple of 128"},
    {"skipsMasked", "attention skips the masked half"},
    {"sequenceParallel", "what tensor parallelism does not split is split by tokens"},
    {"distributedOptimizer", "a replica holds its part of the optimizer's bytes"},
    {"flashAttention", "scores are never stored"},
    {"dropout", "masks of one byte are kept"},
    {"fusedAccumulation", "products of gradients add them to their sum"},
    {"overlapTensor", "tensor collectives run beside their products, with sequence parallelism"},
    {"overlapExperts", "tokens go to their experts while another micro-batch works"},
    {"dropsTokens", "an expert has room for so many tokens, and drops those beyond"},
    {"graphs", "passes are recorded and replayed (CUDA graphs): the host starts no kernels"},
    {"balancedContext", "parts of a sequence have as much attention each"},
};

const char* summaryOf(std::string_view field)
{
    const auto found = std::find_if(std::begin(fieldHelp), std::end(fieldHelp),
                                    [field](const FieldHelp& help) { return help.field == field; });
    return found == std::end(fieldHelp) ? "" : found->summary;
}

/// The option of a field: tensorParallel → tensor-parallel. The size of a micro-batch is not to be
/// taken for their number.
std::string optionOf(std::string_view field)
{
    if (field == "microBatch")
        return "micro-batch-size";
    std::string name;
    for (const char c : field) {
        if (std::isupper(static_cast<unsigned char>(c)) != 0)
            name += '-';
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
}

void replaceFields(LanguageModel& whole, const Arguments& arguments)
{
    for (const FurtherNumber& number : furtherModelNumbers()) {
        if (const std::string option = optionOf(number.name); arguments.has(option))
            number.of(whole) = arguments.whole(option, 0);
    }
    TransformerModel& model = whole.dense;
    replacePrecision(model, arguments);
    for (const ModelNumber& number : modelNumbers) {
        if (const std::string option = optionOf(number.name); arguments.has(option))
            model.*number.member = arguments.whole(option, 0);
    }
    for (const ModelFlag& flag : modelFlags) {
        if (const std::string option = optionOf(flag.name); arguments.has(option))
            model.*flag.member = arguments.text(option) == "yes";
    }
    if (arguments.has(recomputePolicyName)) {
        const auto found = std::find(recomputePolicyNames.begin(), recomputePolicyNames.end(),
                                     arguments.text(recomputePolicyName));
        model.recompute = static_cast<RecomputePolicy>(found - recomputePolicyNames.begin());
    }
}

} // namespace

std::vector<Option> modelFieldOptions()
{
    std::vector<Option> options;
    for (const ModelNumber& number : modelNumbers)
        options.push_back({.name = optionOf(number.name),
                           .kind = ValueKind::Whole,
                           .placeholder = "N",
                           .summary = summaryOf(number.name),
                           .section = fieldSection,
                           .minimum = number.name == "positions" ? -1.0 : 0.0,
                           .maximum = std::numeric_limits<int>::max()});
    for (const FurtherNumber& number : furtherModelNumbers())
        options.push_back({.name = optionOf(number.name),
                           .kind = ValueKind::Whole,
                           .placeholder = "N",
                           .summary = std::string(number.summary),
                           .section = "Experts and heads of the model",
                           .minimum = 0,
                           .maximum = 1 << 24});
    for (const ModelFlag& flag : modelFlags)
        options.push_back({.name = optionOf(flag.name),
                           .kind = ValueKind::Text,
                           .placeholder = "yes|no",
                           .summary = summaryOf(flag.name),
                           .section = fieldSection,
                           .choices = {"yes", "no"}});
    options.push_back({.name = recomputePolicyName,
                       .kind = ValueKind::Text,
                       .placeholder = "HOW",
                       .summary = recomputePolicySummary,
                       .section = fieldSection,
                       .choices = {recomputePolicyNames.begin(), recomputePolicyNames.end()}});
    options.push_back({.name = precisionOption,
                       .kind = ValueKind::Text,
                       .placeholder = "WHICH",
                       .summary = "numbers that products with the layers' weights read; 32 bits "
                                  "bring their bytes with them",
                       .section = fieldSection,
                       .choices = {precisionNames.begin(), precisionNames.end()}});
    return options;
}

void replacePrecision(TransformerModel& model, const Arguments& arguments)
{
    if (const Result<Precision> precision = findPrecision(arguments.text(precisionOption)))
        setPrecision(model, *precision);
}

void appendModelFields(std::vector<Option>& options)
{
    for (Option& field : modelFieldOptions()) {
        const bool known = std::any_of(options.begin(), options.end(), [&field](const Option& one) {
            return one.name == field.name;
        });
        if (!known)
            options.push_back(std::move(field));
    }
}

bool isModelField(std::string_view name)
{
    const std::vector<Option> fields = modelFieldOptions();
    return std::any_of(fields.begin(), fields.end(),
                       [name](const Option& field) { return field.name == name; });
}

tl::expected<void, Failure> checkModelFields(const Arguments& arguments, bool trains)
{
    if (arguments.has("model"))
        return {};
    const std::vector<Option> training = trains ? trainingOptions() : std::vector<Option>();
    for (const Option& field : modelFieldOptions()) {
        const bool trained =
            std::any_of(training.begin(), training.end(),
                        [&field](const Option& one) { return one.name == field.name; });
        if (arguments.has(field.name) && !trained)
            return usage("--" + field.name + " needs --model");
    }
    return {};
}

tl::expected<LanguageModel, Failure> modelOf(const std::string& word, const Arguments& arguments)
{
    Result<LanguageModel> model = loadModel(word);
    if (!model) {
        std::error_code ignored;
        if (model.error().code == ErrorCode::BadValue && !std::filesystem::exists(word, ignored))
            return usage(model.error().message);
        return wrong(model.error());
    }
    replaceFields(*model, arguments);
    if (const Result<void> good = check(*model); !good)
        return usage(word + modelFieldsText(arguments) + ": " + good.error().message);
    return std::move(*model);
}

std::string modelFieldsText(const Arguments& arguments)
{
    std::string text;
    for (const Option& field : modelFieldOptions()) {
        if (arguments.has(field.name))
            text += ", " + field.name + " " + arguments.text(field.name);
    }
    return text;
}

} // namespace pw::app
