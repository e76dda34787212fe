// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/cluster.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

/// A tile of the result that a multiprocessor computes, and the part of the rate that it reaches:
/// a smaller one reads more for each operation.
struct ProductTile
{
    double rows, columns, rate;
};

constexpr ProductTile productTiles[] = {{256, 128, 1},   {128, 256, 1},   {128, 128, 0.94},
                                        {128, 64, 0.82}, {64, 128, 0.82}, {64, 64, 0.68}};

} // namespace

Group groupOf(const Cluster& cluster, int size, int stride)
{
    const int node = cluster.device.devicesPerNode;
    Group group;
    group.size = size;
    group.perNode = std::clamp(node / std::max(stride, 1), 1, size);
    group.sharers = std::max(node / group.perNode, 1);
    return group;
}

double allReduceSeconds(const Cluster& cluster, const Group& group, double bytes, Constant rate)
{
    return 2 * gatherSeconds(cluster, group, bytes, rate);
}

double gatherSeconds(const Cluster& cluster, const Group& group, double bytes, Constant rate)
{
    if (group.size <= 1)
        return 0;
    const Constants& c = cluster.constants;
    const double part = (group.size - 1.0) / group.size * bytes;
    const double steps = group.size - 1;
    // Groups that share a node are in each other's way: the more of it others have, the more.
    // `partial_rate` is what is left where that is half.
    constexpr double half = 0.5;
    const double others =
        1 - std::min(1.0, static_cast<double>(group.perNode) / cluster.device.devicesPerNode);
    const double slower = 1 + (1 / c[Constant::PartialRate] - 1) * others / half;
    const double inside = cluster.device.insideBandwidth * c[Constant::InsideRate] / slower;
    if (!group.crosses())
        return steps * c[Constant::InsideLatency] + part / inside;
    const double outside = cluster.device.nodeBandwidth * c[rate] / group.sharers;
    return steps * c[Constant::OutsideLatency] + part / std::min(inside, outside);
}

namespace {

/// How many of `places` are met by `choices` that fall on each as often.
double distinctPlaces(double places, double choices)
{
    return places * (1 - std::pow(1 - 1 / places, choices));
}

} // namespace

double exchangeSeconds(const Cluster& cluster, const Group& group, const ExpertExchange& exchange)
{
    if (group.size <= 1)
        return 0;
    const Constants& c = cluster.constants;
    const double nodes = group.nodes();
    const double limit = exchange.nodes > 0 ? std::min<double>(exchange.nodes, nodes) : nodes;
    const double met = distinctPlaces(limit, exchange.perToken);
    const double inNode = distinctPlaces(group.perNode, exchange.perToken / met);
    const double all = exchange.tokens * exchange.bytes;
    const double away = 1 - 1.0 / group.size; // what stays is not sent
    const double inside = cluster.device.insideBandwidth * c[Constant::InsideRate];
    const double insideSeconds = all * met * inNode * away / inside;
    if (!group.crosses())
        return c[Constant::InsideLatency] + insideSeconds;
    const double outside =
        cluster.device.nodeBandwidth * c[Constant::OutsideRate] / cluster.device.devicesPerNode;
    const double outsideSeconds = all * met * (1 - 1 / nodes) / outside;
    return c[Constant::OutsideLatency] + std::max(insideSeconds, outsideSeconds);
}

double messageSeconds(const Cluster& cluster, bool crossesNodes, double bytes, int senders)
{
    const Constants& c = cluster.constants;
    const Accelerator& device = cluster.device;
    if (!crossesNodes)
        return c[Constant::InsideLatency] + bytes / (device.insideBandwidth * c[Constant::HopRate]);
    const int shares = std::max(std::min(senders, device.devicesPerNode), device.nodePorts);
    return c[Constant::OutsideLatency] +
           bytes * shares / (device.nodeBandwidth * c[Constant::HopRate]);
}

ProductNumbers productNumbers(const Cluster& cluster, Precision precision, double element)
{
    const PrecisionTraits& traits = precisionTraits(precision);
    ProductNumbers numbers;
    numbers.peakFlops = productPeak(cluster.device, precision);
    if (traits.narrow)
        numbers.rate = cluster.constants[precision == Precision::Nvfp4 ? Constant::FourBitRate
                                                                       : Constant::EightBitRate];
    numbers.operandBytes = traits.narrow ? traits.operandBytes : element;
    numbers.resultBytes = element;
    return numbers;
}

double productSeconds(const Cluster& cluster, const ProductNumbers& numbers, double m, double n,
                      double k, double batch)
{
    const Constants& c = cluster.constants;
    const double unitRate =
        numbers.peakFlops * numbers.rate * c[Constant::MatrixRate] / cluster.device.units;
    const double start =
        c[Constant::MatrixStart] * std::max(numbers.peakFlops / cluster.device.peakFlops, 1.0);
    double best = 0;
    for (const ProductTile& tile : productTiles) {
        const double tiles = batch * std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
        const double waves = std::ceil(tiles / cluster.device.units);
        const double seconds =
            waves * 2 * tile.rows * tile.columns * (k + start) / (unitRate * tile.rate);
        if (best == 0 || seconds < best)
            best = seconds;
    }
    return std::max(best, trafficSeconds(cluster, batch * (numbers.operandBytes * (m * k + k * n) +
                                                           numbers.resultBytes * m * n)));
}

double productSeconds(const Cluster& cluster, double m, double n, double k, double batch)
{
    return productSeconds(cluster, productNumbers(cluster, Precision::Bf16), m, n, k, batch);
}

double hostRate(const Cluster& cluster)
{
    return Offload::reachedPart * cluster.device.hostBandwidth /
           std::max(cluster.device.hostSharers, 1);
}

double trafficSeconds(const Cluster& cluster, double bytes)
{
    return bytes / (cluster.device.peakBandwidth * cluster.constants[Constant::MemoryRate]);
}

} // namespace pw::plan
