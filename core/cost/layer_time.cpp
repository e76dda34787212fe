// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/layer_time.h"

#include "core/cost/piece_clock.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

/// What a fused kernel reaches by the width of a head and the keys of one call, as a part of what
/// it reaches of 8,192 keys and heads of 128. A score takes its exponential whatever the width, as
/// long as the products of 45 columns do, and a tile of queries begins and ends once in a call,
/// which takes it as long as 600 keys do. In a ring each part of the sequence is a call. More keys
/// count as that many: steps of 32,768 on A100, in Seq1F1B's logs, are met better without a gain.
/// @source arXiv:2407.08608, figure 5: forward with a mask on an H100, from 512 to 16,384 keys 197
///         to 473 TFLOP/s with heads of 64, 286 to 642 with heads of 256
double flashRate(double width, double keys)
{
    constexpr double exponential = 45, turn = 600;
    constexpr double usualWidth = 128, usualKeys = 8192;
    const auto reached = [](double what, double lost) { return what / (what + lost); };
    return reached(width, exponential) / reached(usualWidth, exponential) *
           reached(std::min(keys, usualKeys), turn) / reached(usualKeys, turn);
}

void addAttention(PieceClock& clock, const LanguageModel& model, const Configuration& configuration,
                  const Cluster& cluster)
{
    const TransformerModel& dense = model.dense;
    const double heads = dense.heads / clock.t;
    const double queries = static_cast<double>(dense.sequence) / configuration.contextParallel;
    const double keys = dense.sequence;
    const double b = configuration.microBatchSize;
    const double valueHead = model.latent.keyValue > 0 ? model.latent.value : model.head();
    const double keyHead = model.queryWidth() / dense.heads;
    if (dense.flashAttention) {
        // One fused kernel; what it reaches is below a plain product's. It forms the scores once
        // more backward.
        constexpr double flashPart = 0.75, flashBackwardPart = 0.6;
        double masked = dense.causal && dense.skipsMasked ? 0.5 : 1;
        // In plain parts the device with the last has all the keys before it, and the others wait.
        if (masked < 1 && !dense.balancedContext)
            masked *= 2 - 1.0 / configuration.contextParallel;
        const double flops = 2 * b * heads * queries * keys * (keyHead + valueHead) * masked;
        const double rate =
            clock.wide().peakFlops * cluster.constants[Constant::MatrixRate] *
            flashRate((keyHead + valueHead) / 2, keys / configuration.contextParallel);
        clock.attention(flops / (rate * flashPart), 2.5 * flops / (rate * flashBackwardPart), 1);
        return;
    }
    const double scores = productSeconds(cluster, clock.wide(), queries, keys, keyHead, b * heads);
    const double values =
        productSeconds(cluster, clock.wide(), queries, valueHead, keys, b * heads);
    // The score leaves the product, is read and written by the masked softmax, read and written by
    // the dropout with its mask, and read by the second product, which counts its own reading.
    const double bytes =
        (dense.dropout ? 4 * clock.element + 1 : 2 * clock.element) * b * heads * queries * keys;
    const double softmax = trafficSeconds(cluster, bytes);
    clock.attention(scores + values + softmax, 2 * (scores + values) + 1.5 * softmax,
                    dense.dropout ? 4 : 3);
}

void addProjections(PieceClock& clock, const LanguageModel& model)
{
    const double h = model.dense.hidden, t = clock.t;
    const Latent& latent = model.latent;
    if (latent.keyValue == 0) {
        clock.product((model.queryWidth() + model.keyValueWidth()) / t, h);
    } else {
        if (latent.query > 0) {
            clock.product(latent.query, h);
            clock.product(model.queryWidth() / t, latent.query);
        } else {
            clock.product(model.queryWidth() / t, h);
        }
        clock.product(latent.keyValue + latent.positional, h);
        clock.product(static_cast<double>(model.dense.heads) * (latent.plain + latent.value) / t,
                      latent.keyValue);
    }
    clock.product(h, model.gatheredWidth() / t);
}

/// Bytes of a number on its way to an expert.
double dispatchBytesOf(const LanguageModel& model)
{
    if (model.experts.dispatchBytes > 0)
        return model.experts.dispatchBytes;
    const bool blocks = model.dense.precision == Precision::Fp8Blocks;
    return blocks ? precisionTraits(model.dense.precision).operandBytes : model.dense.elementBytes;
}

/// Small kernels that choose experts, count and sort tokens and lay them out, and the same back:
/// those of Megatron-Core's router and dispatcher that are not fused, about. Where experts have
/// room for a fixed number, nothing is counted and sorted.
int routingKernels(const TransformerModel& dense)
{
    constexpr int sorted = 60, placed = 30;
    return dense.dropsTokens ? placed : sorted;
}

/// How often the tokens on their way are read or written: laid out for their devices, there sorted
/// by experts, and the same back. Where the numbers stay on the device, the exchange itself writes
/// them where they belong.
/// @source Megatron-Core, MoEAlltoAllTokenDispatcher: permute and sort_chunks_by_idxs, both ways
int routedPasses(const TransformerModel& dense)
{
    constexpr int apart = 8, written = 4;
    return dense.graphs ? written : apart;
}

/// Products of experts that a device has, each with its rows.
void addExpertProducts(PieceClock& clock, const LanguageModel& model, double rows, double local)
{
    const double h = model.dense.hidden, width = model.experts.width;
    const double matrices = model.dense.gatedMlp ? 2 : 1;
    if (model.dense.graphs) {
        // How many rows an expert has stays on the device: one kernel takes all of them, and makes
        // activations and narrow numbers of its results. @source Megatron-Bridge 0.5.1: fused
        // grouped products with graphs of whole iterations
        clock.groupedProduct(rows, matrices * width, h, local);
        clock.groupedProduct(rows, h, width, local);
        return;
    }
    clock.productOf(rows, matrices * width, h, local);
    clock.productOf(rows, h, width, local);
    clock.traffic(rows * local * clock.element * 3 * matrices * width, 1);
    // Each expert has a product of its own, and makes its own narrow numbers. A library starts them
    // in a loop, which takes the host a part of what a framework's kernel takes (assumed).
    // @source Transformer Engine, multi_stream_cublas_gemm
    constexpr double looped = 0.15;
    const double more = looped * (local - 1);
    const double made = precisionTraits(model.dense.precision).narrow ? 2 : 1;
    clock.kernels(2 * made * more, 2 * made * more, 2 * more);
}

void addExperts(PieceClock& clock, const LanguageModel& model, const Configuration& configuration,
                const Cluster& cluster)
{
    const double h = model.dense.hidden;
    const Experts& experts = model.experts;
    const double matrices = model.dense.gatedMlp ? 2 : 1;
    const double ep = configuration.expertParallel;
    // Every device of the expert group has its tokens; with tensor parallelism they are first split
    // among its members.
    const double own = clock.tokens / clock.t;
    const double local = std::max(experts.count / ep, 1.0);
    const double rows = own * experts.perToken * ep / experts.count;
    clock.wideProduct(experts.count, h);
    // Where every token finds room the host has to learn how many an expert got, to start kernels
    // of those sizes.
    if (!model.dense.dropsTokens)
        clock.waitForHost();
    addExpertProducts(clock, model, std::max(rows, 1.0), local);
    if (experts.shared > 0) {
        clock.product(matrices * experts.width * experts.shared / clock.t, h);
        clock.product(h, static_cast<double>(experts.width) * experts.shared / clock.t);
    }
    const double routed = own * experts.perToken;
    clock.traffic(routed * clock.element * routedPasses(model.dense) * h,
                  routingKernels(model.dense));
    const Group group = groupOf(cluster, configuration.expertParallel, 1);
    // There as narrow as it is sent, back as activations are; their gradients go the other way.
    ExpertExchange exchange{own, h * clock.element, experts.perToken, experts.nodes};
    const double back = exchangeSeconds(cluster, group, exchange);
    exchange.bytes = h * dispatchBytesOf(model);
    const double there = exchangeSeconds(cluster, group, exchange);
    clock.time().forward.expert += there + back;
    clock.time().backward.expert += there + back;
    if (ep > 1)
        clock.kernels(2, 2, 0);
}

void addContext(PieceClock& clock, const LanguageModel& model, const Configuration& configuration,
                const Cluster& cluster)
{
    const int cp = configuration.contextParallel;
    if (cp == 1)
        return;
    const Group group = groupOf(cluster, cp, configuration.tensorParallel);
    const double width = model.latent.keyValue > 0 ? model.queryWidth() + model.gatheredWidth()
                                                   : model.keyValueWidth();
    const double bytes = clock.tokens * cp * width / clock.t * clock.element;
    const double gathering = gatherSeconds(cluster, group, bytes);
    // A ring hides its messages under the attention of the part that is there already.
    const double attention = clock.time().forward.attention;
    const double hidden = attention * (cp - 1) / cp;
    clock.time().forward.context += std::max(gathering - hidden, 0.1 * gathering);
    clock.time().backward.context += std::max(2 * gathering - 2 * hidden, 0.2 * gathering);
    // What each part of the sequence gives is added to the sum so far, in four bytes: the outputs
    // with their softmax's weights, backward the gradients of queries, keys and values.
    // @source arXiv:2310.01889 §3, algorithm 1
    const double added = clock.element + 2 * 4;
    const double once = added * (cp - 1) * clock.tokens / clock.t;
    clock.time().forward.context += trafficSeconds(cluster, once * model.gatheredWidth());
    clock.time().backward.context += trafficSeconds(cluster, once * (model.queryWidth() + width));
    clock.kernels(2 * cp - 1, 4 * cp - 2, 0);
}

/// What the policy computes once more before the backward.
void addRecomputation(PieceTime& time, const PassParts& forward, const LanguageModel& model,
                      const Configuration& configuration)
{
    if (configuration.recompute == RecomputePolicy::Full) {
        time.backward += forward;
        time.joined += forward;
        // Forward outside of the tape keeps nothing; the last sum of the layer is not done again
        // where its result is not needed, which programs do not use.
    } else if (configuration.recompute == RecomputePolicy::Selective &&
               !model.dense.flashAttention) {
        time.backward.attention += forward.attention;
        time.joined.attention += forward.attention;
    }
}

} // namespace

PassParts& PassParts::operator+=(const PassParts& other)
{
    products += other.products;
    attention += other.attention;
    traffic += other.traffic;
    host += other.host;
    tensor += other.tensor;
    expert += other.expert;
    context += other.context;
    offload += other.offload;
    return *this;
}

PassParts operator*(double factor, PassParts parts)
{
    for (double* part : {&parts.products, &parts.attention, &parts.traffic, &parts.host,
                         &parts.tensor, &parts.expert, &parts.context, &parts.offload})
        *part *= factor;
    return parts;
}

PieceTime& PieceTime::operator+=(const PieceTime& other)
{
    forward += other.forward;
    backward += other.backward;
    weight += other.weight;
    joined += other.joined;
    return *this;
}

PieceTime operator*(double factor, const PieceTime& time)
{
    return {factor * time.forward, factor * time.backward, factor * time.weight,
            factor * time.joined};
}

PieceTime layerTime(const LanguageModel& model, const Configuration& configuration,
                    const Cluster& cluster, bool experts)
{
    const TransformerModel& dense = model.dense;
    PieceClock clock(model, configuration, cluster);
    const double h = dense.hidden, t = clock.t;
    addProjections(clock, model);
    addAttention(clock, model, configuration, cluster);
    addContext(clock, model, configuration, cluster);
    // Norms read and write; the sums behind both halves read two tensors and a mask and write one.
    const double wholeWidth =
        (2 * 2 * clock.element + 2 * (3 * clock.element + (dense.dropout ? 1 : 0))) * h;
    clock.traffic(clock.tokens * wholeWidth / (configuration.sequenceParallel ? t : 1), 4);
    // Queries, keys and values are laid out by heads, and what the heads give by tokens.
    const double turned = model.queryWidth() + model.keyValueWidth() + model.gatheredWidth();
    clock.traffic(clock.tokens * 2 * clock.element * turned / t, 3);
    clock.tensorSum(h);
    if (experts) {
        addExperts(clock, model, configuration, cluster);
        if (model.experts.shared > 0 || t > 1)
            clock.tensorSum(h);
    } else {
        const double f = dense.ffnWidth();
        clock.product((dense.gatedMlp ? 2 : 1) * f / t, h);
        clock.product(h, f / t);
        clock.traffic(clock.tokens * clock.element * (dense.gatedMlp ? 3 : 2) * f / t, 1);
        clock.tensorSum(h);
    }
    PieceTime time = clock.finish();
    const PassParts forward = time.forward;
    addRecomputation(time, forward, model, configuration);
    return time;
}

PieceTime embeddingTime(const LanguageModel& model, const Configuration& configuration,
                        const Cluster& cluster)
{
    PieceClock clock(model, configuration, cluster);
    const double h = model.dense.hidden;
    clock.traffic(clock.tokens * 3 * clock.element * h, 3);
    clock.accumulation(
        h * static_cast<double>(vocabularyPart(model.dense, configuration.tensorParallel)));
    if (clock.t > 1) {
        clock.time().forward.tensor +=
            allReduceSeconds(cluster, groupOf(cluster, configuration.tensorParallel, 1),
                             clock.element * clock.tokens * h);
    }
    return clock.finish();
}

PieceTime outputTime(const LanguageModel& model, const Configuration& configuration,
                     const Cluster& cluster)
{
    PieceClock clock(model, configuration, cluster);
    const double h = model.dense.hidden;
    const auto vocabulary =
        static_cast<double>(vocabularyPart(model.dense, configuration.tensorParallel));
    clock.traffic(clock.tokens * 2 * clock.element * h, 1);
    clock.wideProduct(vocabulary, h);
    // Logits become four bytes; largest, exponentials, their sum and the gradient each pass over
    // them.
    constexpr double logitPasses = 5, logitBytes = 4;
    clock.traffic(clock.tokens * logitPasses * logitBytes * vocabulary / 2, 6);
    if (clock.t > 1) {
        const double seconds =
            allReduceSeconds(cluster, groupOf(cluster, configuration.tensorParallel, 1),
                             clock.element * clock.tokens * h);
        clock.time().backward.tensor += seconds;
    }
    return clock.finish();
}

} // namespace pw::plan
