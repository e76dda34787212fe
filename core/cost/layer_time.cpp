// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/layer_time.h"

#include "core/cost/configuration_traits.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

/// Adds up the kernels of a piece of the model; what they are for is known by the caller.
class PieceClock
{
public:
    PieceClock(const LanguageModel& model, const Configuration& configuration,
               const Cluster& cluster)
        : m_model(model)
        , m_cluster(cluster)
        , m_tensor(groupOf(cluster, configuration.tensorParallel, 1))
        , m_sequenceParallel(configuration.sequenceParallel)
        , m_overlapTensor(configuration.overlapTensor)
        , m_fusedAccumulation(configuration.fusedAccumulation)
        , m_splitBackward(traitsOf(configuration).splitsBackward)
        , m_traits(precisionTraits(model.dense.precision))
        , m_layer(productNumbers(cluster, model.dense.precision, model.dense.elementBytes))
        , m_wide(wideNumbers(model, cluster))
        , t(configuration.tensorParallel)
        , element(model.dense.elementBytes)
        , slices(slicesOf(configuration))
        , tokens(static_cast<double>(model.dense.sequence) * configuration.microBatchSize /
                 configuration.contextParallel / slices)
    {
    }

    /// A product with weights of a layer, tokens×k by k×n: once forward, once for either gradient.
    void product(double n, double k) { productOf(tokens, n, k); }
    /// The same for some rows, `batch` times; narrow numbers are made from the input before it, and
    /// from its gradient after it, for the two products that read each.
    void productOf(double rows, double n, double k, double batch = 1)
    {
        productIn(m_layer, rows, n, k, batch);
        if (!m_traits.narrow)
            return;
        const double each = m_traits.convertedPasses * element + 2 * m_traits.operandBytes;
        m_time.forward.traffic += trafficSeconds(m_cluster, each * batch * rows * k);
        m_time.backward.traffic += trafficSeconds(m_cluster, each * batch * rows * n);
        kernels(1, 1, 0);
    }
    /// One that stays in 16 bits where the layers' are narrower.
    void wideProduct(double n, double k) { productIn(m_wide, tokens, n, k, 1); }
    void productIn(const ProductNumbers& numbers, double rows, double n, double k, double batch)
    {
        m_time.forward.products += productSeconds(m_cluster, numbers, rows, n, k, batch);
        m_time.backward.products += productSeconds(m_cluster, numbers, rows, k, n, batch);
        const double weights = batch * n * k;
        const double gradients = productSeconds(m_cluster, numbers, k, n, rows, batch);
        if (m_fusedAccumulation) {
            // The kernel that makes the gradients reads and writes their sum meanwhile.
            const double bytes = numbers.operandBytes * batch * rows * (n + k) +
                                 2.0 * m_model.dense.gradientBytes * weights;
            m_time.weight.products += std::max(gradients, trafficSeconds(m_cluster, bytes));
        } else {
            m_time.weight.products += gradients;
            accumulation(weights);
        }
        kernels(1, 1, 1);
    }
    /// What a backward does for `weights` weights whatever the tokens: their gradients of this
    /// micro-batch are read and added to the sum of those before, which is read and written.
    void accumulation(double weights)
    {
        if (m_fusedAccumulation)
            return;
        m_time.weight.traffic += trafficSeconds(
            m_cluster, weights * (m_model.dense.weightBytes + 2.0 * m_model.dense.gradientBytes));
    }
    /// Element-wise kernels that read and write `bytes` forward, and half as much again backward.
    void traffic(double bytes, int count)
    {
        m_time.forward.traffic += trafficSeconds(m_cluster, bytes);
        m_time.backward.traffic += trafficSeconds(m_cluster, 1.5 * bytes);
        kernels(count, 2 * count, 0);
    }
    void attention(double forward, double backward, int count)
    {
        m_time.forward.attention += forward / slices;
        m_time.backward.attention += backward / slices;
        kernels(count, 2 * count, 0);
    }
    void kernels(double forward, double backward, double weight)
    {
        m_forward += forward;
        m_backward += backward;
        m_weight += weight;
    }
    /// A sum over the tensor group of a tensor of the model's width, forward and backward.
    void tensorSum(double width)
    {
        if (t == 1)
            return;
        // With sequence parallelism the half that gathers carries what the products read.
        const double gathered =
            m_sequenceParallel && m_traits.narrow ? m_traits.operandBytes : element;
        const double seconds = gatherSeconds(m_cluster, m_tensor, element * tokens * width) +
                               gatherSeconds(m_cluster, m_tensor, gathered * tokens * width);
        m_time.forward.tensor += seconds;
        m_time.backward.tensor += seconds;
        kernels(m_sequenceParallel ? 2 : 1, m_sequenceParallel ? 3 : 1, 0);
    }
    PieceTime& time() { return m_time; }
    const ProductNumbers& wide() const { return m_wide; }

    /// The passes of all slices, with the host's part: it starts kernels while earlier ones work,
    /// so that only small ones wait for it.
    PieceTime finish()
    {
        if (m_model.dense.overlapExperts) {
            hideExchange(m_time.forward);
            hideExchange(m_time.backward);
        }
        if (m_overlapTensor) {
            hidePart(m_time.forward, 1);
            // The sum after the products for the input is hidden under those for the weights, which
            // are not there where the backward is split.
            hidePart(m_time.backward, m_splitBackward ? 0.5 : 1);
        }
        hostPart(m_time.forward, m_forward);
        hostPart(m_time.backward, m_backward);
        hostPart(m_time.weight, m_weight);
        return {slices * m_time.forward, slices * m_time.backward, slices * m_time.weight};
    }

private:
    static double slicesOf(const Configuration& configuration)
    {
        const std::size_t lengths = configuration.segmentLengths.size();
        return lengths > 0 ? static_cast<double>(lengths) : traitsOf(configuration).segments;
    }
    static ProductNumbers wideNumbers(const LanguageModel& model, const Cluster& cluster)
    {
        const Precision own = model.dense.precision;
        return productNumbers(cluster, precisionTraits(own).narrow ? Precision::Bf16 : own,
                              model.dense.elementBytes);
    }
    /// A collective in t parts runs beside the products that make or take them: one part stays, and
    /// what is longer than the products. The hidden ones take multiprocessors and bandwidth from
    /// the products; how much is assumed.
    void hidePart(PassParts& parts, double part) const
    {
        const double can = part * parts.tensor;
        const double hidden = can - std::max(can / t, can - parts.products);
        parts.tensor -= (1 - contention) * hidden;
    }
    /// Tokens of one micro-batch are on their way while another works; all but what is longer.
    static void hideExchange(PassParts& parts)
    {
        const double work = parts.products + parts.attention + parts.traffic;
        parts.expert -= (1 - contention) * std::min(parts.expert, work);
    }
    void hostPart(PassParts& parts, double count) const
    {
        const double launch = count * m_cluster.constants[Constant::LaunchTime];
        const double work = parts.total();
        constexpr double sharpness = 3;
        const double both =
            std::pow(std::pow(launch, sharpness) + std::pow(work, sharpness), 1 / sharpness);
        parts.host += both - work;
    }

    static constexpr double contention = 0.3;

    const LanguageModel& m_model;
    const Cluster& m_cluster;
    Group m_tensor;
    bool m_sequenceParallel;
    bool m_overlapTensor;
    bool m_fusedAccumulation;
    bool m_splitBackward;
    const PrecisionTraits& m_traits;
    ProductNumbers m_layer; ///< of products with weights of a layer
    ProductNumbers m_wide;  ///< of those beside them
    PieceTime m_time;
    double m_forward = 0, m_backward = 0, m_weight = 0;

public:
    const double t;
    const double element; ///< bytes of an activation
    const double slices;  ///< of a sequence, each with its kernels
    const double tokens;  ///< of one of them
};

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
        const double rate = clock.wide().peakFlops * cluster.constants[Constant::MatrixRate];
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
    clock.productOf(std::max(rows, 1.0), matrices * experts.width, h, local);
    clock.productOf(std::max(rows, 1.0), h, experts.width, local);
    // Each of the device's experts has a product of its own, and makes its own narrow numbers.
    const double more = local - 1, made = precisionTraits(model.dense.precision).narrow ? 2 : 1;
    clock.kernels(2 * made * more, 2 * made * more, 2 * more);
    clock.wideProduct(experts.count, h);
    if (experts.shared > 0) {
        clock.product(matrices * experts.width * experts.shared / clock.t, h);
        clock.product(h, static_cast<double>(experts.width) * experts.shared / clock.t);
    }
    const double routed = own * experts.perToken;
    clock.traffic(routed * clock.element * (4 * h + 3 * matrices * experts.width), 6);
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
        // Forward outside of the tape keeps nothing; the last sum of the layer is not done again
        // where its result is not needed, which programs do not use.
    } else if (configuration.recompute == RecomputePolicy::Selective &&
               !model.dense.flashAttention) {
        time.backward.attention += forward.attention;
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
    return *this;
}

PieceTime layerTime(const LanguageModel& model, const Configuration& configuration,
                    const Cluster& cluster, bool experts)
{
    const TransformerModel& dense = model.dense;
    PieceClock clock(model, configuration, cluster);
    const double h = dense.hidden, t = clock.t;
    addProjections(clock, model);
    addAttention(clock, model, configuration, cluster);
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
    addContext(clock, model, configuration, cluster);
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
    clock.accumulation(h * model.dense.vocabulary / clock.t);
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
    const double h = model.dense.hidden, vocabulary = model.dense.vocabulary / clock.t;
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
