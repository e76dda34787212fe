// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/stage_memory.h"

#include <algorithm>

namespace pw::plan {

namespace {

double tokensOf(const LanguageModel& model, const Configuration& configuration)
{
    return static_cast<double>(model.dense.sequence) * configuration.microBatchSize /
           configuration.contextParallel;
}

/// What tensor parallelism leaves whole and sequence parallelism splits.
double wholePart(const Configuration& configuration, double bytes)
{
    return configuration.sequenceParallel ? bytes / configuration.tensorParallel : bytes;
}

/// Bytes of a number that a layer keeps because a product for gradients reads it.
double operandBytes(const LanguageModel& model)
{
    const PrecisionTraits& traits = precisionTraits(model.dense.precision);
    return traits.narrow ? traits.operandBytes : model.dense.elementBytes;
}

/// Bytes of the inside of the MLP: what the nonlinearity reads in full, what the product behind it
/// reads as narrow as it is, with copies of experts' inputs.
double mlpInsideBytes(const LanguageModel& model, const Configuration& configuration, bool experts)
{
    const double element = model.dense.elementBytes, operand = operandBytes(model);
    const double before = element * (model.dense.gatedMlp ? 2 : 1);
    const double t = configuration.tensorParallel;
    if (!experts)
        return (before + operand) * model.dense.ffnWidth() / t;
    const Experts& e = model.experts;
    // Tokens go to their experts with a copy of their input each; they are split over t first.
    return (before + operand) * e.width * e.shared / t +
           ((before + operand) * e.width + (element + operand) * model.dense.hidden) * e.perToken /
               t;
}

/// Bytes a token of queries, keys, values and what the heads give, which attention reads again; the
/// product behind has a narrow copy.
double projectedBytes(const LanguageModel& model, const Configuration& configuration)
{
    const double element = model.dense.elementBytes;
    const double split = (model.queryWidth() + model.keyValueWidth() + model.gatheredWidth()) /
                         configuration.tensorParallel;
    const double copy =
        precisionTraits(model.dense.precision).narrow
            ? operandBytes(model) * model.gatheredWidth() / configuration.tensorParallel
            : 0;
    return element * (split + model.latent.query + model.latent.keyValue) + copy;
}

/// Rows of the embedding or output matrix of a device that has one to itself.
double vocabularyRows(const LanguageModel& model, const Configuration& configuration)
{
    return static_cast<double>(vocabularyPart(model.dense, configuration.tensorParallel));
}

} // namespace

DeviceWeights layerDeviceWeights(const LanguageModel& model, const Configuration& configuration,
                                 int layer)
{
    const LayerWeights weights = layerWeights(model, layer);
    return {weights.tensor / configuration.tensorParallel + weights.whole,
            weights.expert / configuration.expertParallel};
}

DeviceWeights embeddingDeviceWeights(const LanguageModel& model, const Configuration& configuration)
{
    const double h = model.dense.hidden;
    return {h * vocabularyRows(model, configuration) + h * model.dense.positionCount(), 0};
}

DeviceWeights outputDeviceWeights(const LanguageModel& model, const Configuration& configuration)
{
    const double h = model.dense.hidden;
    const bool shared = model.dense.tiedEmbedding && configuration.pipelineParallel == 1;
    return {(model.dense.biases ? 2 : 1) * h +
                (shared ? 0 : h * vocabularyRows(model, configuration)),
            0};
}

double layerActivationBytes(const LanguageModel& model, const Configuration& configuration,
                            bool experts, RecomputePolicy policy)
{
    const TransformerModel& dense = model.dense;
    const double n = tokensOf(model, configuration), h = dense.hidden;
    const double element = dense.elementBytes, mask = dense.dropout ? 1 : 0;
    if (policy == RecomputePolicy::Full)
        return wholePart(configuration, n * h * element);
    // Two inputs of norms, and what the products behind them read.
    return wholePart(configuration, n * h * (2 * element + 2 * operandBytes(model) + 2 * mask)) +
           n * (projectedBytes(model, configuration) +
                mlpInsideBytes(model, configuration, experts)) +
           layerScoreBytes(model, configuration, policy);
}

double layerScoreBytes(const LanguageModel& model, const Configuration& configuration,
                       RecomputePolicy policy)
{
    const TransformerModel& dense = model.dense;
    if (policy != RecomputePolicy::None || dense.flashAttention)
        return 0;
    const double scores = tokensOf(model, configuration) * dense.sequence * dense.heads /
                          configuration.tensorParallel;
    return scores * (dense.dropout ? 2 * dense.elementBytes + 1 : dense.elementBytes);
}

double layerKeptBytes(const LanguageModel& model, const Configuration& configuration, bool experts)
{
    const double n = tokensOf(model, configuration), element = model.dense.elementBytes;
    return wholePart(configuration, 2 * n * model.dense.hidden * (element + operandBytes(model))) +
           n * (projectedBytes(model, configuration) +
                mlpInsideBytes(model, configuration, experts));
}

double embeddingBytes(const LanguageModel& model, const Configuration& configuration)
{
    const double n = tokensOf(model, configuration);
    return wholePart(configuration, tokenNumberBytes(model, configuration) +
                                        (model.dense.dropout ? n * model.dense.hidden : 0));
}

double tokenNumberBytes(const LanguageModel& model, const Configuration& configuration)
{
    constexpr double tokenNumber = 8;
    return tokenNumber * tokensOf(model, configuration);
}

double outputBytes(const LanguageModel& model, const Configuration& configuration)
{
    const double n = tokensOf(model, configuration);
    return wholePart(configuration, 2 * n * model.dense.hidden * model.dense.elementBytes) +
           logitBytes(configuration.engine).kept * n * vocabularyRows(model, configuration);
}

double outputKeptBytes(const LanguageModel& model, const Configuration& configuration)
{
    const double n = tokensOf(model, configuration), element = model.dense.elementBytes;
    return wholePart(configuration, n * model.dense.hidden * element) +
           element * n * vocabularyRows(model, configuration);
}

double boundaryBytesOf(const LanguageModel& model, const Configuration& configuration)
{
    return wholePart(configuration, tokensOf(model, configuration) * model.dense.hidden *
                                        model.dense.elementBytes);
}

MemoryParts staticMemory(const LanguageModel& model, const Configuration& configuration,
                         const DeviceWeights& weights)
{
    const TransformerModel& dense = model.dense;
    const double replicas =
        static_cast<double>(configuration.dataParallel) * configuration.contextParallel;
    const double expertReplicas =
        std::max(replicas * configuration.tensorParallel / configuration.expertParallel, 1.0);
    const auto sharded = [&](bool split) {
        return split ? weights.dense / replicas + weights.expert / expertReplicas : weights.total();
    };
    MemoryParts parts;
    const PrecisionTraits& traits = precisionTraits(dense.precision);
    const double weight = traits.narrow ? traits.weightBytes : dense.weightBytes;
    parts.weights = weight * sharded(configuration.zero >= 3);
    parts.gradients = dense.gradientBytes * sharded(configuration.zero >= 2);
    parts.optimizer = dense.optimizerBytes * sharded(configuration.zero >= 1);
    const bool experts = model.experts.count > 0;
    if (configuration.recompute == RecomputePolicy::Full) {
        parts.working = layerActivationBytes(model, configuration, experts, RecomputePolicy::None);
    } else if (configuration.recompute == RecomputePolicy::Selective && !dense.flashAttention) {
        parts.working =
            layerActivationBytes(model, configuration, experts, RecomputePolicy::None) -
            layerActivationBytes(model, configuration, experts, RecomputePolicy::Selective);
    }
    if (configuration.zero >= 3) {
        const DeviceWeights layer = layerDeviceWeights(model, configuration, dense.layers - 1);
        parts.working += 2 * weight * layer.total();
    }
    // Two messages a direction are under way at once; a gathered input of sequence parallelism is
    // whole for a moment.
    const double message = boundaryBytesOf(model, configuration);
    parts.buffers = configuration.pipelineParallel > 1 ? 4 * message : 0;
    if (configuration.sequenceParallel && configuration.tensorParallel > 1)
        parts.buffers += message * configuration.tensorParallel;
    return parts;
}

} // namespace pw::plan
