// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/cluster.h"

#include "core/base/names.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

constexpr double planTera = 1e12;
constexpr double planGiga = 1e9;
constexpr double planMib = 1048576.0;

std::vector<Accelerator> makeAccelerators()
{
    std::vector<Accelerator> all = {
        {"a100", "NVIDIA A100 SXM 80 GB", 312 * planTera, 2039 * planGiga, 81920 * planMib,
         1536 * planMib, 108, 300 * planGiga, 100 * planGiga, 8,
         "data sheet: 312 TFLOP/s, 2,039 GB/s, NVLink 600 GB/s both ways; nodes with four ports of "
         "200 Gbit/s",
         4},
        {"h100", "NVIDIA H100 SXM 80 GB", 989.4 * planTera, 3350 * planGiga, 81559 * planMib,
         2048 * planMib, 132, 450 * planGiga, 400 * planGiga, 8,
         "data sheet: 989.4 TFLOP/s, 3.35 TB/s, NVLink 900 GB/s both ways; nodes with eight ports "
         "of 400 Gbit/s"},
        {"h200", "NVIDIA H200 SXM 141 GB", 989.4 * planTera, 4800 * planGiga, 143771 * planMib,
         2048 * planMib, 132, 450 * planGiga, 400 * planGiga, 8,
         "data sheet: as the H100, with 141 GB at 4.8 TB/s"},
        {"b200", "NVIDIA B200 SXM 180 GB", 2250 * planTera, 7700 * planGiga, 183359 * planMib,
         3072 * planMib, 148, 900 * planGiga, 400 * planGiga, 8,
         "data sheet of the DGX B200: 2.25 PFLOP/s dense, 180 GB at 7.7 TB/s, NVLink 1.8 TB/s both "
         "ways; nodes with eight ports of 400 Gbit/s"},
        {"mi300x", "AMD Instinct MI300X 192 GB", 1307.4 * planTera, 5300 * planGiga,
         196608 * planMib, 3072 * planMib, 304, 448 * planGiga, 400 * planGiga, 8,
         "data sheet: 1,307.4 TFLOP/s, 5.3 TB/s, seven links of 64 GB/s a direction; nodes with "
         "eight ports of 400 Gbit/s"},
    };
    // Two A100 of a DGX stand behind one switch with one link to the host.
    all.front().hostBandwidth = 32 * planGiga;
    all.front().hostSharers = 2;
    all.front().hostSource =
        "PCI Express 4.0 with 16 lanes: 32 GB/s a direction, one such link for "
        "the two behind a switch of the DGX A100";
    return all;
}

/// A tile of the result that a multiprocessor computes, and the part of the rate that it reaches:
/// a smaller one reads more for each operation.
struct ProductTile
{
    double rows, columns, rate;
};

constexpr ProductTile productTiles[] = {{256, 128, 1},   {128, 256, 1},   {128, 128, 0.94},
                                        {128, 64, 0.82}, {64, 128, 0.82}, {64, 64, 0.68}};

} // namespace

const std::vector<Accelerator>& accelerators()
{
    static const std::vector<Accelerator> all = makeAccelerators();
    return all;
}

Result<Accelerator> findAccelerator(std::string_view name)
{
    const auto nameOf = [](const Accelerator& one) -> std::string_view { return one.name; };
    if (const Accelerator* found = findNamed(accelerators(), name, nameOf))
        return *found;
    std::string names;
    for (const Accelerator& one : accelerators()) {
        names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    return fail(ErrorCode::BadValue, "there is no hardware %1; there are %2", inQuotes(name),
                names);
}

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

double productSeconds(const Cluster& cluster, double m, double n, double k, double batch)
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
    constexpr double element = 2;
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
