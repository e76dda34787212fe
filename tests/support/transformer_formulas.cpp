// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/transformer_formulas.h"

namespace pw {

namespace {

constexpr int fp32LogitBytes = 4;

double tokens(const TransformerModel& model)
{
    return static_cast<double>(model.sequence) * model.microBatch;
}

std::int64_t wholeTokens(const TransformerModel& model)
{
    return static_cast<std::int64_t>(model.sequence) * model.microBatch;
}

std::int64_t kvWidth(const TransformerModel& model)
{
    return static_cast<std::int64_t>(model.headSize()) * model.kvHeadCount();
}

/// Numbers a token that the MLP keeps for its backward: before and after the nonlinearity.
std::int64_t mlpInside(const TransformerModel& model)
{
    return static_cast<std::int64_t>(model.ffnWidth()) * (model.gatedMlp ? 3 : 2);
}

/// Columns of the matrices that lead into the MLP.
std::int64_t mlpColumns(const TransformerModel& model)
{
    return static_cast<std::int64_t>(model.ffnWidth()) * (model.gatedMlp ? 2 : 1);
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

/// Divides by t what tensor parallelism leaves whole and sequence parallelism splits.
Bytes bySequence(const TransformerModel& model, Bytes bytes)
{
    return model.sequenceParallel ? ceilDivide(bytes, model.tensorParallel) : bytes;
}

} // namespace

PassFlops linearFlops(const TransformerModel& model)
{
    const double once = 2 * tokens(model) * static_cast<double>(matrixParameters(model));
    return {once, once, once};
}

PassFlops attentionFlops(const TransformerModel& model)
{
    const double all = 4 * tokens(model) * model.sequence * model.hidden;
    const double once = model.skipsMasked ? all / 2 : all;
    return {once, 2 * once, 0};
}

PassFlops layerFlops(const TransformerModel& model)
{
    const PassFlops linear = linearFlops(model);
    const PassFlops attention = attentionFlops(model);
    return {linear.forward + attention.forward, linear.backward + attention.backward,
            linear.weight + attention.weight};
}

PassFlops outputFlops(const TransformerModel& model)
{
    const double once = 2 * tokens(model) * model.hidden * model.vocabulary;
    return {once, once, once};
}

double recomputedFlops(const TransformerModel& model)
{
    const double attention = attentionFlops(model).forward;
    const double scoresAgain = model.flashAttention ? attention / 2 : 0;
    switch (model.recompute) {
    case RecomputePolicy::None:
        return scoresAgain;
    case RecomputePolicy::Selective:
        // A flash kernel has kept nothing that the policy could forget.
        return model.flashAttention ? scoresAgain : attention;
    case RecomputePolicy::Full:
        return layerFlops(model).forward + scoresAgain;
    }
    return 0;
}

double modelFlops(const TransformerModel& model, double samples)
{
    const double once = layerFlops(model).total() * model.layers + outputFlops(model).total();
    return once * samples / model.microBatch;
}

double hardwareFlops(const TransformerModel& model, double samples)
{
    return modelFlops(model, samples) +
           recomputedFlops(model) * model.layers * samples / model.microBatch;
}

std::int64_t layerParameters(const TransformerModel& model)
{
    const std::int64_t h = model.hidden;
    const std::int64_t norms = model.biases ? 4 * h : 2 * h;
    const std::int64_t biases =
        model.biases ? h + 2 * kvWidth(model) + h + mlpColumns(model) + h : 0;
    return matrixParameters(model) + norms + biases;
}

std::int64_t parameters(const TransformerModel& model)
{
    const std::int64_t h = model.hidden;
    const std::int64_t matrices = model.tiedEmbedding ? 1 : 2;
    const std::int64_t lastNorm = model.biases ? 2 * h : h;
    return model.layers * layerParameters(model) + matrices * model.vocabulary * h +
           model.positionCount() * h + lastNorm;
}

DeviceParameters deviceParameters(const TransformerModel& model)
{
    const std::int64_t t = model.tensorParallel;
    const std::int64_t h = model.hidden;
    const std::int64_t norm = model.biases ? 2 * h : h;
    const std::int64_t splitBiases =
        model.biases ? (h + 2 * kvWidth(model) + mlpColumns(model)) / t : 0;
    const std::int64_t wholeBiases = model.biases ? 2 * h : 0;
    DeviceParameters parts;
    parts.layer = matrixParameters(model) / t + splitBiases + wholeBiases + 2 * norm;
    parts.tokenRows = ceilDivide(model.vocabulary, t) * h;
    parts.embedding = parts.tokenRows + model.positionCount() * h;
    parts.output = parts.tokenRows + norm;
    return parts;
}

ActivationBytes layerActivation(const TransformerModel& model, RecomputePolicy policy)
{
    const std::int64_t t = model.tensorParallel;
    const std::int64_t h = model.hidden;
    const std::int64_t n = wholeTokens(model);
    const std::int64_t element = model.elementBytes;
    const std::int64_t mask = model.dropout ? 1 : 0;
    if (policy == RecomputePolicy::Full)
        return {bySequence(model, n * h * element), 0};

    // Whole on every accelerator: inputs of two norms, of the attention and of the MLP, and two
    // dropout masks.
    const std::int64_t whole = n * h * (4 * element + 2 * mask);
    // Split by heads or columns: queries, keys, values, what the attention gives, and the inside of
    // the MLP.
    const std::int64_t split = n * element * ((h + 2 * kvWidth(model) + h + mlpInside(model)) / t);
    ActivationBytes bytes;
    bytes.perToken = bySequence(model, whole) + split;
    if (policy == RecomputePolicy::None && !model.flashAttention) {
        // Softmax, its dropout mask and what the dropout leaves.
        bytes.scores =
            n * model.sequence * (model.heads / t) * (model.dropout ? 2 * element + mask : element);
    }
    return bytes;
}

Bytes layerKeptForWeight(const TransformerModel& model)
{
    const std::int64_t t = model.tensorParallel;
    const std::int64_t h = model.hidden;
    const std::int64_t n = wholeTokens(model);
    const std::int64_t element = model.elementBytes;
    // Inputs of the attention and of the MLP, gradients of what both give.
    const std::int64_t whole = 4 * n * h * element;
    // Gradients of queries, keys and values; input of the projection; both sides of the MLP's inner
    // width.
    const std::int64_t split = n * element * ((h + 2 * kvWidth(model) + h + mlpInside(model)) / t);
    return bySequence(model, whole) + split;
}

Bytes embeddingActivation(const TransformerModel& model)
{
    const std::int64_t n = wholeTokens(model);
    const std::int64_t mask = model.dropout ? n * model.hidden : 0;
    return bySequence(model, mask) + bySequence(model, 8 * n);
}

Bytes outputActivation(const TransformerModel& model)
{
    const std::int64_t n = wholeTokens(model);
    const std::int64_t inputs = 2 * n * model.hidden * model.elementBytes;
    return bySequence(model, inputs) +
           fp32LogitBytes * n * ceilDivide(model.vocabulary, model.tensorParallel);
}

Bytes boundaryBytes(const TransformerModel& model)
{
    return bySequence(model, wholeTokens(model) * model.hidden * model.elementBytes);
}

double bytesPerParameter(const TransformerModel& model)
{
    const double shards = model.distributedOptimizer ? model.dataParallel : 1;
    return model.weightBytes + model.gradientBytes + model.optimizerBytes / shards;
}

} // namespace pw
