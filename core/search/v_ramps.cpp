// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/index.h"
#include "core/search/v_auto.h"

#include <algorithm>

namespace pw {

namespace {

/// Counts of the rows before a device's first B0.
std::array<int, vRowCount> countsBeforeFirstB0(std::span<const VRow> rows)
{
    std::array<int, vRowCount> counts{};
    for (const VRow row : rows) {
        if (row == VRow::B0)
            break;
        ++counts[static_cast<std::size_t>(row)];
    }
    return counts;
}

/// Rewrites what a device does before its first B0: fill the memory with forwards, F1 in every
/// second place once they arrive, then B1 W1 and a forward in turn.
void shapeWarmUp(std::span<VRow> rows, DeviceId device, int devices, int limit)
{
    const auto counts = countsBeforeFirstB0(rows);
    std::array<int, vRowCount> used{};
    std::size_t size = 0;
    const auto put = [&](VRow row, int most) {
        int& n = used[static_cast<std::size_t>(row)];
        if (n >= std::min(most, counts[static_cast<std::size_t>(row)]))
            return false;
        ++n;
        rows[size++] = row;
        return true;
    };
    const int first1 = std::min<int>(device + 1, limit / 2);
    const int first0 = limit - first1;
    for (int k = 0; k < 2 * (devices - 1 - device); ++k)
        put(VRow::F0, first0);
    for (int k = 0; k <= device; ++k) {
        put(VRow::F0, first0);
        put(VRow::F1, first1);
    }
    constexpr int all = 1 << 30;
    for (bool more = true; more;) {
        more = put(VRow::B1, all);
        more = put(VRow::W1, all) || more;
        more = put(VRow::F1, all) || put(VRow::F0, all) || more;
    }
}

/// A device as slots of one unit.
using Grid = std::vector<std::vector<std::int8_t>>;

Grid gridOf(const VTimer& timer, const VOrder& order)
{
    Grid grid(at(order.devices()));
    for (const DeviceId i : Ids<DeviceId>(order.devices())) {
        const auto starts = timer.starts(i);
        const auto rows = order.device(i);
        grid[at(i)].assign(static_cast<std::size_t>(starts.back()) + 1, vacant);
        for (std::size_t k = 0; k < rows.size(); ++k)
            grid[at(i)][static_cast<std::size_t>(starts[k])] = static_cast<std::int8_t>(rows[k]);
    }
    return grid;
}

/// Takes the last `most` passes of a row out of a lane; how many there were.
int takeLast(std::vector<std::int8_t>& lane, VRow row, int most)
{
    int taken = 0;
    for (auto it = lane.rbegin(); it != lane.rend() && taken < most; ++it) {
        if (*it == static_cast<std::int8_t>(row)) {
            *it = vacant;
            ++taken;
        }
    }
    return taken;
}

/// Puts every W that has no slot into the vacant ones behind `lastWeight`, those of B1 first; the
/// rest follow the last pass.
void placeOwedWeights(std::vector<std::int8_t>& lane, int lastWeight)
{
    int owed1 = 0;
    int owed0 = 0;
    for (int t = 0; t < static_cast<int>(lane.size()); ++t) {
        auto& cell = lane[at(t)];
        if (cell == vacant) {
            if (t > lastWeight && owed1 > 0) {
                cell = static_cast<std::int8_t>(VRow::W1);
                --owed1;
            } else if (t > lastWeight && owed0 > 0) {
                cell = static_cast<std::int8_t>(VRow::W0);
                --owed0;
            }
            continue;
        }
        switch (static_cast<VRow>(cell)) {
        case VRow::B1:
            ++owed1;
            break;
        case VRow::B0:
            ++owed0;
            break;
        case VRow::W1:
            --owed1;
            break;
        case VRow::W0:
            --owed0;
            break;
        case VRow::F0:
        case VRow::F1:
            break;
        }
    }
    lane.insert(lane.end(), at(std::max(owed1, 0)), static_cast<std::int8_t>(VRow::W1));
    lane.insert(lane.end(), at(std::max(owed0, 0)), static_cast<std::int8_t>(VRow::W0));
}

/// Rewrites the end of a device: the last B0 and B1 each in every second slot, in step with the
/// neighbours, and W in what is left. False where a slot is taken.
bool shapeCoolDown(std::vector<std::int8_t>& lane, DeviceId device, int devices, int limit,
                   int lastForward, int microBatches)
{
    const int last0 = std::min((limit + 1) / 2, microBatches);
    const int last1 = std::min<int>({limit - last0, microBatches, device + 1});
    const int taken1 = takeLast(lane, VRow::B1, last1);
    const int taken0 = takeLast(lane, VRow::B0, last0);
    int w1 = 0;
    int w0 = 0;
    int lastWeight = -1;
    for (int t = static_cast<int>(lane.size()) - 1; t >= 0; --t) {
        auto& cell = lane[at(t)];
        if (cell == vacant || !isWeight(static_cast<VRow>(cell)))
            continue;
        if (w1 >= taken1 && w0 >= taken0 && w1 + w0 >= limit) {
            lastWeight = t;
            break;
        }
        ++(static_cast<VRow>(cell) == VRow::W1 ? w1 : w0);
        cell = vacant;
    }
    const auto put = [&lane](int t, VRow row) {
        if (t < 0)
            return false;
        if (t >= static_cast<int>(lane.size()))
            lane.resize(at(t + 1), vacant);
        if (lane[at(t)] != vacant)
            return false;
        lane[at(t)] = static_cast<std::int8_t>(row);
        return true;
    };
    for (int k = 0; k < taken0; ++k) {
        if (!put(lastForward - device + 2 * devices - 2 * k, VRow::B0))
            return false;
    }
    for (int k = 0; k < taken1; ++k) {
        if (!put(lastForward + 1 + device - 2 * k, VRow::B1))
            return false;
    }
    placeOwedWeights(lane, lastWeight);
    return true;
}

/// Keeps the first micro-batches of an order.
VOrder firstMicroBatches(const VOrder& order, int microBatches)
{
    VOrder kept(order.devices(), microBatches);
    for (const DeviceId i : Ids<DeviceId>(order.devices())) {
        std::array<int, vRowCount> count{};
        std::size_t size = 0;
        const auto rows = kept.device(i);
        for (const VRow row : order.device(i)) {
            if (count[static_cast<std::size_t>(row)]++ < microBatches)
                rows[size++] = row;
        }
    }
    return kept;
}

/// The W of a device in the order of their B, so that none is too early.
bool relabelWeights(std::span<VRow> rows)
{
    std::vector<VRow> owed;
    std::size_t paid = 0;
    for (VRow& row : rows) {
        if (row == VRow::B1)
            owed.push_back(VRow::W1);
        else if (row == VRow::B0)
            owed.push_back(VRow::W0);
        else if (isWeight(row)) {
            if (paid == owed.size())
                return false;
            row = owed[paid++];
        }
    }
    return paid == owed.size();
}

int largestPeak(const VOrder& order)
{
    const auto peaks = vPeaks(order);
    return *std::max_element(peaks.begin(), peaks.end());
}

} // namespace

std::optional<VOrder> vOrderWithRamps(const VOrder& repeated, int microBatches, int limit)
{
    const int p = repeated.devices();
    VOrder order = repeated;
    VTimer timer;
    for (const DeviceId i : Ids<DeviceId>(p))
        shapeWarmUp(order.device(i), i, p, limit);
    if (microBatches < order.microBatches())
        order = firstMicroBatches(order, microBatches);
    const auto unit = VProblem::uniform(p, microBatches, 1, 1, 1, 0);
    if (largestPeak(order) > limit || !timer.measure(unit, order))
        return std::nullopt;
    Grid grid = gridOf(timer, order);
    int lastForward = 0;
    for (int t = 0; t < static_cast<int>(grid[0].size()); ++t) {
        if (grid[0][at(t)] == static_cast<std::int8_t>(VRow::F1))
            lastForward = t;
    }
    for (const DeviceId i : Ids<DeviceId>(p)) {
        if (!shapeCoolDown(grid[at(i)], i, p, limit, lastForward, microBatches))
            return std::nullopt;
        const auto rows = order.device(i);
        std::size_t size = 0;
        for (const auto cell : grid[at(i)]) {
            if (cell == vacant)
                continue;
            if (size == rows.size())
                return std::nullopt;
            rows[size++] = static_cast<VRow>(cell);
        }
        if (size != rows.size() || !relabelWeights(rows))
            return std::nullopt;
    }
    if (largestPeak(order) > limit || !timer.measure(unit, order))
        return std::nullopt;
    return order;
}

} // namespace pw
