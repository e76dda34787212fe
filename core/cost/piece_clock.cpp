// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/piece_clock.h"

#include "core/cost/configuration_traits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace pw::plan {

namespace {

/// What a hidden collective takes from the products beside it (assumed).
constexpr double contention = 0.3;

double slicesOf(const Configuration& configuration)
{
    const std::size_t lengths = configuration.segmentLengths.size();
    return lengths > 0 ? static_cast<double>(lengths) : traitsOf(configuration).segments;
}

ProductNumbers wideNumbers(const LanguageModel& model, const Cluster& cluster)
{
    const Precision own = model.dense.precision;
    return productNumbers(cluster, precisionTraits(own).narrow ? Precision::Bf16 : own,
                          model.dense.elementBytes);
}

/// How much longer products take where the rows of one of their matrices are of an odd number of
/// elements of two bytes: hardly any row then begins where memory can be read in pieces of four or
/// more. The three products of a matrix with weights all read or write such rows.
/// @source H. He, "What Shapes Do Matrix Multiplications Like?", answer to question 1: 2,047 for
///         2,048 inner elements, of either matrix, takes more than twice as long in bf16; rows do
///         not count
double alignmentCost(const ProductNumbers& numbers, double n, double k)
{
    constexpr double odd = 2, wide = 4;
    const auto isOdd = [](double width) { return static_cast<std::int64_t>(width) % 2 != 0; };
    return numbers.operandBytes < wide && (isOdd(n) || isOdd(k)) ? odd : 1;
}

/// Tokens of one micro-batch are on their way while another works; all but what is longer.
void hideExchange(PassParts& parts)
{
    const double work = parts.products + parts.attention + parts.traffic;
    parts.expert -= (1 - contention) * std::min(parts.expert, work);
}

} // namespace

PieceClock::PieceClock(const LanguageModel& model, const Configuration& configuration,
                       const Cluster& cluster)
    : m_model(model)
    , m_cluster(cluster)
    , m_tensor(groupOf(cluster, configuration.tensorParallel, 1))
    , m_sequenceParallel(configuration.sequenceParallel)
    , m_overlapTensor(configuration.overlapTensor)
    , m_fusedAccumulation(configuration.fusedAccumulation)
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

void PieceClock::productOf(double rows, double n, double k, double batch)
{
    productIn(m_layer, rows, n, k, batch);
    if (!m_traits.narrow)
        return;
    const double each = m_traits.convertedPasses * element + 2 * m_traits.operandBytes;
    m_time.forward.traffic += trafficSeconds(m_cluster, each * batch * rows * k);
    m_time.backward.traffic += trafficSeconds(m_cluster, each * batch * rows * n);
    kernels(1, 1, 0);
}

void PieceClock::productIn(const ProductNumbers& numbers, double rows, double n, double k,
                           double batch)
{
    const double slower = alignmentCost(numbers, n, k);
    m_time.forward.products += slower * productSeconds(m_cluster, numbers, rows, n, k, batch);
    m_time.backward.products += slower * productSeconds(m_cluster, numbers, rows, k, n, batch);
    const double weights = batch * n * k;
    const double gradients = slower * productSeconds(m_cluster, numbers, k, n, rows, batch);
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

void PieceClock::accumulation(double weights)
{
    if (m_fusedAccumulation)
        return;
    m_time.weight.traffic += trafficSeconds(
        m_cluster, weights * (m_model.dense.weightBytes + 2.0 * m_model.dense.gradientBytes));
}

void PieceClock::traffic(double bytes, int count)
{
    m_time.forward.traffic += trafficSeconds(m_cluster, bytes);
    m_time.backward.traffic += trafficSeconds(m_cluster, 1.5 * bytes);
    kernels(count, 2 * count, 0);
}

void PieceClock::attention(double forward, double backward, int count)
{
    m_time.forward.attention += forward / slices;
    m_time.backward.attention += backward / slices;
    kernels(count, 2 * count, 0);
}

void PieceClock::kernels(double forward, double backward, double weight)
{
    m_forward += forward;
    m_backward += backward;
    m_weight += weight;
}

void PieceClock::tensorSum(double width)
{
    if (t == 1)
        return;
    // With sequence parallelism the half that gathers carries what the products read.
    const double gathered = m_sequenceParallel && m_traits.narrow ? m_traits.operandBytes : element;
    const double seconds = gatherSeconds(m_cluster, m_tensor, element * tokens * width) +
                           gatherSeconds(m_cluster, m_tensor, gathered * tokens * width);
    m_time.forward.tensor += seconds;
    m_time.backward.tensor += seconds;
    kernels(m_sequenceParallel ? 2 : 1, m_sequenceParallel ? 3 : 1, 0);
}

void PieceClock::waitForHost()
{
    if (m_model.dense.graphs)
        return;
    m_before = {std::exchange(m_time.forward, {}), std::exchange(m_forward, 0)};
}

PieceTime PieceClock::finish()
{
    Stretch forward{m_time.forward, m_forward};
    for (PassParts* parts : {&forward.parts, &m_time.backward}) {
        if (m_model.dense.overlapExperts)
            hideExchange(*parts);
    }
    // One half of the backward's sums is made by products for the input; the other half runs beside
    // those for the weights, which are not there where the backward is split.
    PassParts joined = m_time.backward;
    if (m_overlapTensor) {
        hidePart(m_before.parts, 1);
        hidePart(forward.parts, 1);
        hidePart(joined, 1);
        hidePart(m_time.backward, 0.5);
    }
    joined += m_time.weight;
    PassParts whole = withHost(forward);
    whole += withHost(m_before);
    const PieceTime time{whole, withHost({m_time.backward, m_backward}),
                         withHost({m_time.weight, m_weight}),
                         withHost({joined, m_backward + m_weight})};
    return slices * time;
}

/// A collective in t parts runs beside the products that make or take them: one part stays, and
/// what is longer than the products. The hidden ones take multiprocessors and bandwidth from the
/// products.
void PieceClock::hidePart(PassParts& parts, double part) const
{
    const double can = part * parts.tensor;
    const double hidden = can - std::max(can / t, can - parts.products);
    parts.tensor -= (1 - contention) * hidden;
}

/// What starting kernels takes beyond their work.
double PieceClock::hostSeconds(double work, double kernels) const
{
    // Recorded kernels begin one after the other on the device. @source J. Roeder, "Getting Started
    // with CUDA Graphs": 3.4 µs for kernels of 2.9
    constexpr double replayed = 0.5e-6;
    if (m_model.dense.graphs)
        return replayed * kernels;
    const double launch = kernels * m_cluster.constants[Constant::LaunchTime];
    const double longer = std::max(launch, work), shorter = std::min(launch, work);
    const double blend = m_cluster.constants[Constant::HostBlend];
    // The longer of both where nothing in a pass waits for the device: the host runs far ahead.
    if (blend == 0 || longer == 0)
        return longer - work;
    return longer * std::pow(1 + std::pow(shorter / longer, 1 / blend), blend) - work;
}

PassParts PieceClock::withHost(Stretch stretch) const
{
    stretch.parts.host += hostSeconds(stretch.parts.total(), stretch.kernels);
    return stretch.parts;
}

} // namespace pw::plan
