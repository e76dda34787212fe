// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/pass_times.h"

namespace pw {

namespace {

/// Bytes that element-wise kernels move for one layer on one accelerator.
struct Traffic
{
    double forward = 0;
    double backward = 0;
};

Traffic tokenTraffic(const TransformerModel& model)
{
    const double t = model.tensorParallel;
    const double tokens = static_cast<double>(model.sequence) * model.microBatch;
    const double e = model.elementBytes;
    const double wide = tokens * model.hidden / (model.sequenceParallel ? t : 1);
    const double inner = tokens * model.ffnWidth() / t;
    // Two norms read and write; two residual sums read two and write one, dropout writes its mask
    // with them.
    const double masks = model.dropout ? 2 : 0;
    const double forward = wide * (4 * e + 6 * e + masks);
    // A norm reads its input and a gradient and writes one, a residual sum joins two gradients;
    // dropout reads, writes and looks at its mask.
    const double dropout = model.dropout ? 4 * e + 2 : 0;
    const double backward = wide * (6 * e + 6 * e + dropout);
    const double mlpForward = inner * e * (model.gatedMlp ? 3 : 2);
    const double mlpBackward = inner * e * (model.gatedMlp ? 5 : 3);
    return {forward + mlpForward, backward + mlpBackward};
}

Traffic scoreTraffic(const TransformerModel& model)
{
    if (model.flashAttention)
        return {};
    const double e = model.elementBytes;
    const double scores = static_cast<double>(model.sequence) * model.sequence * model.microBatch *
                          model.heads / model.tensorParallel;
    const double dropout = model.dropout ? 2 * e + 1 : 0;
    return {scores * (2 * e + dropout), scores * (3 * e + dropout)};
}

/// Seconds of the two sums over the t accelerators that a forward or a backward of a layer waits
/// for.
double sumSeconds(const TransformerModel& model, const Hardware& hardware)
{
    const double t = model.tensorParallel;
    const double elements = 4.0 * model.microBatch * model.sequence * model.hidden * (t - 1) / t;
    return elements * model.elementBytes / hardware.collective.value;
}

} // namespace

LayerSeconds layerSeconds(const TransformerModel& model, const Hardware& hardware)
{
    const double t = model.tensorParallel;
    const double bandwidth = hardware.memoryBandwidth.value;
    LayerSeconds layer;

    const double product = linearFlops(model).forward / t / hardware.matmulFlops.value;
    const Traffic token = tokenTraffic(model);
    const double sums = sumSeconds(model, hardware);
    layer.perToken.forward = product + token.forward / bandwidth + sums;
    layer.perToken.backward = product + token.backward / bandwidth + sums;
    layer.perToken.weight = product;
    layer.perToken.recompute = layer.perToken.forward;

    const double rate =
        model.flashAttention ? hardware.flashFlops.value : hardware.attentionFlops.value;
    const double attention = attentionFlops(model).forward / t / rate;
    const Traffic score = scoreTraffic(model);
    layer.scores.forward = attention + score.forward / bandwidth;
    layer.scores.backward = 2 * attention + score.backward / bandwidth;
    layer.scores.recompute = layer.scores.forward;
    if (model.flashAttention)
        layer.scores.backward += attention / 2;
    else if (model.recompute == RecomputePolicy::Selective)
        layer.scores.backward += layer.scores.forward;
    return layer;
}

PassSeconds outputSeconds(const TransformerModel& model, const Hardware& hardware)
{
    const double t = model.tensorParallel;
    const double product = outputFlops(model).forward / t / hardware.matmulFlops.value;
    const double logits =
        static_cast<double>(model.sequence) * model.microBatch * model.vocabulary / t;
    const double loss = 8 * logits / hardware.memoryBandwidth.value;
    // The loss is not recomputed: its backward follows its forward at once.
    return {product + loss, product + loss, product, 0};
}

double updateSeconds(const TransformerModel& model, const Hardware& hardware, double parameters)
{
    const double d = model.dataParallel;
    const double shards = model.distributedOptimizer ? d : 1;
    const double moved = parameters / shards *
                         (model.gradientBytes + 2.0 * model.optimizerBytes + model.weightBytes);
    // A shared optimizer scatters the sums of the gradients and gathers the weights.
    const double perParameter = model.distributedOptimizer ? model.gradientBytes + model.weightBytes
                                                           : 2.0 * model.gradientBytes;
    const double sent = parameters * perParameter * (d - 1) / d;
    return moved / hardware.memoryBandwidth.value + sent / hardware.betweenBandwidth.value;
}

double offloadRatio(const TransformerModel& model, double compute, double link)
{
    const double bytes = 2 * 20.0 * model.sequence * model.microBatch * model.hidden;
    return (bytes / link) / (layerFlops(model).total() / compute);
}

} // namespace pw
