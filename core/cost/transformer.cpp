// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/transformer.h"

#include "core/base/divisors.h"
#include "core/cost/engine_memory.h"

namespace pw {

namespace {

/// Largest value of a count; the products of them are checked apart.
constexpr int maxCount = 1 << 26;
constexpr double maxLayerBytes = 1e15;

std::string value(std::string_view field, std::int64_t number)
{
    return std::string(field) + " is " + std::to_string(number);
}

Result<void> checkRanges(const TransformerModel& model)
{
    struct Range
    {
        std::string_view field;
        int value;
        int minimum;
        int maximum;
    };
    const Range ranges[] = {{"layers", model.layers, 1, 1'000'000},
                            {"hidden", model.hidden, 1, 1 << 20},
                            {"heads", model.heads, 1, 1 << 20},
                            {"kvHeads", model.kvHeads, 0, 1 << 20},
                            {"ffn", model.ffn, 0, 1 << 24},
                            {"sequence", model.sequence, 1, maxCount},
                            {"positions", model.positions, -1, maxCount},
                            {"vocabulary", model.vocabulary, 1, maxCount},
                            {"microBatch", model.microBatch, 1, 1 << 20},
                            {"tensorParallel", model.tensorParallel, 1, 1 << 16},
                            {"dataParallel", model.dataParallel, 1, 1 << 20},
                            {"elementBytes", model.elementBytes, 1, 8},
                            {"weightBytes", model.weightBytes, 1, 8},
                            {"gradientBytes", model.gradientBytes, 0, 8},
                            {"optimizerBytes", model.optimizerBytes, 0, 64}};
    for (const Range& range : ranges) {
        if (range.value < range.minimum || range.value > range.maximum) {
            return fail(ErrorCode::BadValue, "%1; %2 to %3", value(range.field, range.value),
                        range.minimum, range.maximum);
        }
    }
    return {};
}

Result<void> divides(std::string_view divisorField, int divisor, std::string_view field, int whole)
{
    if (whole % divisor == 0)
        return {};
    return fail(ErrorCode::BadValue, "%1, which does not divide the %2 of %3; %4 would",
                value(divisorField, divisor), whole, field, divisorsBeside(whole, divisor));
}

Result<void> checkDivisions(const TransformerModel& model)
{
    const int t = model.tensorParallel;
    if (auto ok = divides("heads", model.heads, "hidden", model.hidden); !ok)
        return ok;
    if (auto ok = divides("kvHeads", model.kvHeadCount(), "heads", model.heads); !ok)
        return ok;
    if (auto ok = divides("tensorParallel", t, "heads", model.heads); !ok)
        return ok;
    if (auto ok = divides("tensorParallel", t, "kvHeads", model.kvHeadCount()); !ok)
        return ok;
    if (auto ok = divides("tensorParallel", t, "ffn", model.ffnWidth()); !ok)
        return ok;
    if (model.sequenceParallel)
        return divides("tensorParallel", t, "sequence", model.sequence);
    return {};
}

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

Result<void> check(const TransformerModel& model)
{
    if (auto ok = checkRanges(model); !ok)
        return ok;
    if (auto ok = checkDivisions(model); !ok)
        return ok;
    if (model.skipsMasked && !model.causal) {
        return fail(ErrorCode::BadValue,
                    "skipsMasked is true and causal is false; only causal attention is masked");
    }
    const double width = 64.0 * model.hidden + 8.0 * model.ffnWidth() + 8.0 * model.vocabulary;
    const double bytes = tokens(model) * (width + 16.0 * model.heads * model.sequence);
    if (bytes * model.elementBytes > maxLayerBytes) {
        return fail(ErrorCode::TooLarge,
                    "%1, %2 and %3: one layer would keep more than 10^15 bytes",
                    value("sequence", model.sequence), value("microBatch", model.microBatch),
                    value("hidden", model.hidden));
    }
    return {};
}

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

double utilisation(double flops, double seconds, double accelerators, double peakFlopsPerSecond)
{
    return flops / (seconds * accelerators * peakFlopsPerSecond);
}

std::int64_t matrixParameters(const TransformerModel& model)
{
    const std::int64_t h = model.hidden;
    const std::int64_t mlp = model.gatedMlp ? 3 : 2;
    return h * (2 * h + 2 * kvWidth(model)) + mlp * h * model.ffnWidth();
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

Bytes outputKeptForWeight(const TransformerModel& model)
{
    const std::int64_t n = wholeTokens(model);
    return bySequence(model, n * model.hidden * model.elementBytes) +
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
