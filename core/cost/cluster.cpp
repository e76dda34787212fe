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

double allToAllSeconds(const Cluster& cluster, const Group& group, double bytes)
{
    if (group.size <= 1)
        return 0;
    const Constants& c = cluster.constants;
    const double inside = cluster.device.insideBandwidth * c[Constant::InsideRate];
    const double insidePart = bytes * (std::min(group.perNode, group.size) - 1) / group.size;
    if (!group.crosses())
        return c[Constant::InsideLatency] + insidePart / inside;
    const double outsidePart = bytes * (group.size - group.perNode) / group.size;
    const double outside =
        cluster.device.nodeBandwidth * c[Constant::OutsideRate] / cluster.device.devicesPerNode;
    return c[Constant::OutsideLatency] + std::max(insidePart / inside, outsidePart / outside);
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

double productSeconds(const Cluster& cluster, double m, double n, double k, double batch,
                      double element)
{
    const Constants& c = cluster.constants;
    const double unitRate =
        cluster.device.peakFlops * c[Constant::MatrixRate] / cluster.device.units;
    double best = 0;
    for (const ProductTile& tile : productTiles) {
        const double tiles = batch * std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
        const double waves = std::ceil(tiles / cluster.device.units);
        const double seconds = waves * 2 * tile.rows * tile.columns *
                               (k + c[Constant::MatrixStart]) / (unitRate * tile.rate);
        if (best == 0 || seconds < best)
            best = seconds;
    }
    return std::max(best, trafficSeconds(cluster, element * batch * (m * k + k * n + m * n)));
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
