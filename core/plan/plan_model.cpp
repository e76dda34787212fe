// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/plan_model.h"

namespace pw::plan {

const std::vector<PlanModelNumber>& planModelNumbers()
{
    static const std::vector<PlanModelNumber> all = {
        {"experts", [](PlanModel& m) -> int& { return m.experts.count; },
         "experts of a layer, of which a token takes some; 0: none"},
        {"expertsPerToken", [](PlanModel& m) -> int& { return m.experts.perToken; },
         "experts that a token is sent to"},
        {"expertWidth", [](PlanModel& m) -> int& { return m.experts.width; },
         "inner width of an expert"},
        {"sharedExperts", [](PlanModel& m) -> int& { return m.experts.shared; },
         "experts that every token passes besides"},
        {"denseLayers", [](PlanModel& m) -> int& { return m.experts.denseLayers; },
         "first layers that have a plain MLP in the place of experts"},
        {"headSize", [](PlanModel& m) -> int& { return m.headSize; },
         "numbers of a head; 0: hidden over heads"},
        {"latentQuery", [](PlanModel& m) -> int& { return m.latent.query; },
         "latent attention: rank of the queries; 0: not compressed"},
        {"latentKeyValue", [](PlanModel& m) -> int& { return m.latent.keyValue; },
         "latent attention: rank of keys and values; 0: plain attention"},
        {"latentPositional", [](PlanModel& m) -> int& { return m.latent.positional; },
         "latent attention: numbers of a head that carry the position"},
        {"latentPlain", [](PlanModel& m) -> int& { return m.latent.plain; },
         "latent attention: numbers of a head that do not"},
        {"latentValue", [](PlanModel& m) -> int& { return m.latent.value; },
         "latent attention: numbers of a head's value"}};
    return all;
}

double PlanModel::queryWidth() const
{
    return latent.keyValue > 0
               ? static_cast<double>(dense.heads) * (latent.plain + latent.positional)
               : static_cast<double>(dense.heads) * head();
}

double PlanModel::keyValueWidth() const
{
    return latent.keyValue > 0 ? static_cast<double>(dense.heads) *
                                     (latent.plain + latent.positional + latent.value)
                               : 2.0 * dense.kvHeadCount() * head();
}

double PlanModel::gatheredWidth() const
{
    return latent.keyValue > 0 ? static_cast<double>(dense.heads) * latent.value
                               : static_cast<double>(dense.heads) * head();
}

LayerWeights layerWeights(const PlanModel& model, int layer)
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
            weights.tensor += 3 * h + dense.ffnWidth() + h;
    }
    if (dense.biases)
        weights.whole += 2 * h;
    return weights;
}

double weightCount(const PlanModel& model)
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

double sampleFlops(const PlanModel& model)
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

} // namespace pw::plan
