// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/language_model.h"

#include "core/base/try.h"

namespace pw {

const std::vector<FurtherNumber>& furtherModelNumbers()
{
    static const std::vector<FurtherNumber> all = {
        {"experts", [](LanguageModel& m) -> int& { return m.experts.count; },
         "experts of a layer, of which a token takes some; 0: none"},
        {"expertsPerToken", [](LanguageModel& m) -> int& { return m.experts.perToken; },
         "experts that a token is sent to"},
        {"expertWidth", [](LanguageModel& m) -> int& { return m.experts.width; },
         "inner width of an expert"},
        {"sharedExperts", [](LanguageModel& m) -> int& { return m.experts.shared; },
         "experts that every token passes besides"},
        {"denseLayers", [](LanguageModel& m) -> int& { return m.experts.denseLayers; },
         "first layers that have a plain MLP in the place of experts"},
        {"expertNodes", [](LanguageModel& m) -> int& { return m.experts.nodes; },
         "nodes that a token is sent to at most; 0: any"},
        {"dispatchBytes", [](LanguageModel& m) -> int& { return m.experts.dispatchBytes; },
         "bytes of a number on its way to an expert; 0: 1 in fp8-blocks, otherwise as activations"},
        {"contextParallel", [](LanguageModel& m) -> int& { return m.contextParallel; },
         "accelerators that share a sequence; 0: as 1"},
        {"expertParallel", [](LanguageModel& m) -> int& { return m.expertParallel; },
         "accelerators of a pipeline rank that share the experts; 0: as 1"},
        {"headSize", [](LanguageModel& m) -> int& { return m.headSize; },
         "numbers of a head; 0: hidden over heads"},
        {"latentQuery", [](LanguageModel& m) -> int& { return m.latent.query; },
         "latent attention: rank of the queries; 0: not compressed"},
        {"latentKeyValue", [](LanguageModel& m) -> int& { return m.latent.keyValue; },
         "latent attention: rank of keys and values; 0: plain attention"},
        {"latentPositional", [](LanguageModel& m) -> int& { return m.latent.positional; },
         "latent attention: numbers of a head that carry the position"},
        {"latentPlain", [](LanguageModel& m) -> int& { return m.latent.plain; },
         "latent attention: numbers of a head that do not"},
        {"latentValue", [](LanguageModel& m) -> int& { return m.latent.value; },
         "latent attention: numbers of a head's value"}};
    return all;
}

double LanguageModel::queryWidth() const
{
    return latent.keyValue > 0
               ? static_cast<double>(dense.heads) * (latent.plain + latent.positional)
               : static_cast<double>(dense.heads) * head();
}

double LanguageModel::keyValueWidth() const
{
    return latent.keyValue > 0 ? static_cast<double>(dense.heads) *
                                     (latent.plain + latent.positional + latent.value)
                               : 2.0 * dense.kvHeadCount() * head();
}

double LanguageModel::gatheredWidth() const
{
    return latent.keyValue > 0 ? static_cast<double>(dense.heads) * latent.value
                               : static_cast<double>(dense.heads) * head();
}

LayerWeights layerWeights(const LanguageModel& model, int layer)
{
    const TransformerModel& dense = model.dense;
    const Latent& latent = model.latent;
    const double h = dense.hidden;
    LayerWeights weights;
    if (latent.keyValue > 0) {
        const double query = latent.query > 0 ? latent.query : h;
        weights.tensor +=
            query * model.queryWidth() +
            static_cast<double>(latent.keyValue) * dense.heads * (latent.plain + latent.value) +
            model.gatheredWidth() * h;
        weights.whole += h * (latent.keyValue + latent.positional) + latent.keyValue +
                         (latent.query > 0 ? h * latent.query + latent.query : 0);
    } else {
        weights.tensor += h * (model.queryWidth() + model.keyValueWidth() + model.gatheredWidth());
    }
    weights.whole += (dense.biases ? 4 : 2) * h;
    const double matrices = dense.gatedMlp ? 3 : 2;
    weights.active = weights.tensor + weights.whole;
    if (model.hasExperts(layer)) {
        const double one = matrices * h * model.experts.width;
        weights.expert = one * model.experts.count;
        weights.tensor += one * model.experts.shared;
        weights.whole += h * model.experts.count;
        weights.active +=
            one * (model.experts.perToken + model.experts.shared) + h * model.experts.count;
    } else {
        const double mlp = matrices * h * dense.ffnWidth();
        weights.tensor += mlp;
        weights.active += mlp;
        if (dense.biases)
            weights.tensor += (dense.gatedMlp ? 2.0 : 1.0) * dense.ffnWidth();
    }
    if (dense.biases) {
        weights.tensor += model.queryWidth() + model.keyValueWidth();
        weights.whole += 2 * h;
    }
    return weights;
}

double weightCount(const LanguageModel& model)
{
    const TransformerModel& dense = model.dense;
    double sum =
        static_cast<double>(dense.hidden) * ((dense.tiedEmbedding ? 1.0 : 2.0) * dense.vocabulary +
                                             dense.positionCount() + (dense.biases ? 2 : 1));
    for (int layer = 0; layer < dense.layers; ++layer) {
        const LayerWeights weights = layerWeights(model, layer);
        sum += weights.tensor + weights.expert + weights.whole;
    }
    return sum;
}

double sampleFlops(const LanguageModel& model)
{
    const TransformerModel& dense = model.dense;
    const double s = dense.sequence;
    double once = 2 * s * dense.hidden * dense.vocabulary;
    const double masked = dense.skipsMasked ? 0.5 : 1;
    const double attention = 2 * s * s * (model.queryWidth() + model.gatheredWidth()) * masked;
    for (int layer = 0; layer < dense.layers; ++layer)
        once += 2 * s * layerWeights(model, layer).active + attention;
    return 3 * once;
}

namespace {

Result<void> checkFurther(const LanguageModel& model)
{
    const TransformerModel& dense = model.dense;
    const Experts& e = model.experts;
    if (e.count < 0 || (e.count > 0 && (e.perToken < 1 || e.perToken > e.count || e.width < 1)))
        return fail(ErrorCode::BadValue,
                    "a model with %1 experts sends a token to %2 of width %3; at least 1 each",
                    e.count, e.perToken, e.width);
    LanguageModel asked = model;
    constexpr int mostNumber = 1 << 24;
    for (const FurtherNumber& number : furtherModelNumbers()) {
        if (const int value = number.of(asked); value < 0 || value > mostNumber)
            return fail(ErrorCode::BadValue, "%1 is %2; 0 to %3", number.name, value, mostNumber);
    }
    if (e.count == 0 && (e.perToken > 0 || e.width > 0 || e.shared > 0 || e.denseLayers > 0))
        return fail(ErrorCode::BadValue,
                    "the model has no experts; expertsPerToken, expertWidth, sharedExperts and "
                    "denseLayers are for a model that has some");
    if (e.denseLayers > dense.layers)
        return fail(ErrorCode::BadValue, "denseLayers is %1; the model has %2 layers",
                    e.denseLayers, dense.layers);
    const Latent& latent = model.latent;
    if (latent.keyValue > 0 && (latent.plain + latent.positional < 1 || latent.value < 1))
        return fail(ErrorCode::BadValue,
                    "latent attention of rank %1 has heads of %2 and %3 numbers and values of %4; "
                    "at least 1 each",
                    latent.keyValue, latent.plain, latent.positional, latent.value);
    return {};
}

} // namespace

Result<void> check(const LanguageModel& model)
{
    PW_DO(check(model.dense, model.headSize == 0 && model.latent.keyValue == 0));
    return checkFurther(model);
}

Result<void> checkShape(const LanguageModel& model)
{
    LanguageModel alone = model;
    alone.dense.tensorParallel = 1;
    alone.dense.microBatch = 1;
    PW_DO(check(alone));
    constexpr int mostLayers = 10'000;
    if (model.dense.layers > mostLayers)
        return fail(ErrorCode::BadValue, "layers is %1; a plan takes at most %2",
                    model.dense.layers, mostLayers);
    return {};
}

} // namespace pw
