// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/v_schedule.h"

#include "core/base/assert.h"
#include "core/base/index.h"

#include <algorithm>

namespace pw {

Ticks VProblem::duration(VRow row, DeviceId device) const
{
    const auto stage = at(stageOf(row, device, devices));
    if (isForward(row))
        return forward[stage];
    return isWeight(row) ? weight[stage] : backward[stage];
}

VProblem VProblem::uniform(int devices, int microBatches, Ticks forward, Ticks backward,
                           Ticks weight, Ticks latency)
{
    VProblem problem;
    problem.devices = devices;
    problem.microBatches = microBatches;
    const auto stages = at(2 * devices);
    problem.forward.assign(stages, forward);
    problem.backward.assign(stages, backward);
    problem.weight.assign(stages, weight);
    problem.activationLatency.assign(stages - 1, latency);
    // The turn of the V stays on its device.
    problem.activationLatency[at(devices - 1)] = 0;
    problem.gradientLatency = problem.activationLatency;
    return problem;
}

VOrder::VOrder(int devices, int microBatches)
    : m_devices(devices)
    , m_microBatches(microBatches)
    , m_rows(at(devices) * at(microBatches) * at(vRowCount), VRow::F0)
{
}

std::span<VRow> VOrder::device(int i)
{
    return std::span<VRow>(m_rows).subspan(at(i) * at(length()), at(length()));
}

std::span<const VRow> VOrder::device(int i) const
{
    return std::span<const VRow>(m_rows).subspan(at(i) * at(length()), at(length()));
}

bool VFigures::betterThan(const VFigures& other, VAim aim) const
{
    if (of(aim) != other.of(aim))
        return of(aim) < other.of(aim);
    if (span != other.span)
        return span < other.span;
    if (makespan != other.makespan)
        return makespan < other.makespan;
    return peak < other.peak;
}

std::optional<VFigures> VTimer::measure(const VProblem& problem, const VOrder& order)
{
    const int devices = order.devices();
    PW_ASSERT(devices == problem.devices);
    m_length = order.length();
    m_microBatches = order.microBatches();
    m_start.resize(at(devices) * at(m_length));
    m_end.resize(at(devices) * at(m_microBatches) * 4);
    m_done.assign(at(devices), {});
    m_position.assign(at(devices), 0);
    m_clock.assign(at(devices), 0);
    m_awaited.assign(at(devices), -1);
    m_ready.resize(at(devices));
    for (int i = 0; i < devices; ++i)
        m_ready[at(i)] = DeviceId(devices - 1 - i);
    while (!m_ready.empty()) {
        const DeviceId device(m_ready.back());
        m_ready.pop_back();
        if (!advance(problem, order, device))
            return std::nullopt;
    }
    VFigures figures;
    for (int i = 0; i < devices; ++i) {
        if (m_position[at(i)] != m_length)
            return std::nullopt;
        if (m_length > 0)
            figures.span = std::max(figures.span, m_clock[at(i)] - m_start[at(i) * at(m_length)]);
        figures.makespan = std::max(figures.makespan, m_clock[at(i)]);
    }
    for (const int peak : vPeaks(order))
        figures.peak = std::max(figures.peak, peak);
    return figures;
}

bool VTimer::advance(const VProblem& problem, const VOrder& order, DeviceId device)
{
    const int devices = order.devices();
    const auto rows = order.device(device);
    auto& done = m_done[at(device)];
    auto& clock = m_clock[at(device)];
    const auto end = [&](int row, int i, int microBatch) -> Ticks& {
        return m_end[(at(row) * at(devices) + at(i)) * at(m_microBatches) + at(microBatch)];
    };
    for (int& position = m_position[at(device)]; position < m_length; ++position) {
        const VRow row = rows[at(position)];
        const int r = static_cast<int>(row);
        const int microBatch = done[at(r)];
        if (isWeight(row)) {
            if (done[at(r - 2)] <= microBatch)
                return false;
            m_start[at(device) * at(m_length) + at(position)] = clock;
            clock += problem.duration(row, device);
            ++done[at(r)];
            continue;
        }
        const bool down = row == VRow::F0 || row == VRow::B1;
        const int neighbour = down ? device - 1 : device + 1;
        Ticks start = clock;
        if (neighbour >= 0 && neighbour < devices) {
            if (m_done[at(neighbour)][at(r)] <= microBatch) {
                m_awaited[at(device)] = r;
                return true;
            }
            const StageId stage = stageOf(row, device, devices);
            const Ticks latency = isForward(row) ? problem.activationLatency[at(stage - 1)]
                                                 : problem.gradientLatency[at(stage)];
            start = std::max(start, end(r, neighbour, microBatch) + latency);
        } else if (row != VRow::F0) {
            if (done[at(r - 1)] <= microBatch)
                return true;
            // On the turn of the V a latency is 0 unless the caller says otherwise.
            Ticks latency = 0;
            if (row == VRow::F1)
                latency = problem.activationLatency[at(devices - 1)];
            else if (row == VRow::B0)
                latency = problem.gradientLatency[at(devices - 1)];
            start = std::max(start, end(r - 1, device, microBatch) + latency);
        }
        m_start[at(device) * at(m_length) + at(position)] = start;
        clock = start + problem.duration(row, device);
        end(r, device, microBatch) = clock;
        ++done[at(r)];
        const DeviceId next(down ? device + 1 : device - 1);
        if (next >= 0 && next < devices && m_awaited[at(next)] == r) {
            m_awaited[at(next)] = -1;
            m_ready.push_back(next);
        }
    }
    return true;
}

std::span<const Ticks> VTimer::starts(DeviceId device) const
{
    return std::span<const Ticks>(m_start).subspan(at(device) * at(m_length), at(m_length));
}

std::vector<int> vPeaks(const VOrder& order)
{
    std::vector<int> peaks;
    for (const DeviceId i : Ids<DeviceId>(order.devices())) {
        int live = 0;
        int peak = 0;
        for (const VRow row : order.device(i)) {
            live += isForward(row) ? 1 : (isWeight(row) ? -1 : 0);
            peak = std::max(peak, live);
        }
        peaks.push_back(peak);
    }
    return peaks;
}

VBlock vMinBlock(int devices)
{
    const int p = devices;
    const int gap = p % 3 == 0 ? 2 : 0;
    VBlock block;
    for (int i = 0; i < p; ++i)
        block.offsets.push_back({i, 2 * p - 1 - i, 2 * p + gap + i, 4 * p + gap - 1 - i});
    return block;
}

VBlock vHalfBlock(int devices)
{
    const int p = devices;
    const int gap = p % 2 == 0 ? 3 : 0;
    VBlock block;
    for (int i = 0; i < p; ++i)
        block.offsets.push_back(
            {2 * i, 3 * p - 2 - i, 3 * p + gap + 2 * i - 1, 6 * p + gap - 2 - i});
    return block;
}

VBlock vZbBlock(int devices)
{
    const int p = devices;
    const int turn = 4 * (p - 1) + 1;
    const int back = turn + 2 * (p - 1) + 1;
    VBlock block;
    for (int i = 0; i < p; ++i) {
        const int up = 2 * (p - 1 - i);
        block.offsets.push_back({4 * i, turn + up, back + 4 * i, back + 4 * (p - 1) + 1 + up});
    }
    return block;
}

bool repeatsWithoutCollision(const VBlock& block)
{
    if (block.interval < vRowCount)
        return false;
    for (const auto& offsets : block.offsets) {
        for (std::size_t a = 0; a < offsets.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                if ((offsets[a] - offsets[b]) % block.interval == 0)
                    return false;
            }
        }
    }
    return true;
}

std::array<int, 2> weightOffsets(const VBlock& block, DeviceId device)
{
    const auto& offsets = block.offsets[at(device)];
    std::array<int, 2> weights{};
    const auto isFree = [&](int slot, std::size_t rows) {
        for (const int offset : offsets) {
            if ((slot - offset) % block.interval == 0)
                return false;
        }
        return rows == 0 || (slot - weights[0]) % block.interval != 0;
    };
    for (std::size_t w = 0; w < 2; ++w) {
        weights[w] = offsets[w + 2] + 1;
        while (!isFree(weights[w], w))
            ++weights[w];
    }
    return weights;
}

int steadyPeak(const VBlock& block)
{
    int peak = 0;
    for (const DeviceId i : Ids<DeviceId>(block.devices())) {
        const auto& offsets = block.offsets[at(i)];
        const auto weights = weightOffsets(block, i);
        // By then the first micro-batch has left, and every later slot repeats.
        const int from = std::max(weights[0], weights[1]);
        for (int slot = from; slot < from + block.interval; ++slot) {
            const auto begun = [&](int offset) { return (slot - offset) / block.interval; };
            const int live =
                begun(offsets[0]) + begun(offsets[1]) - begun(weights[0]) - begun(weights[1]);
            peak = std::max(peak, live);
        }
    }
    return peak;
}

VOrder vRepeatedOrder(const VBlock& block, int microBatches)
{
    VOrder order(block.devices(), microBatches);
    std::vector<std::pair<int, VRow>> entries;
    for (const DeviceId i : Ids<DeviceId>(block.devices())) {
        const auto weights = weightOffsets(block, i);
        entries.clear();
        for (int r = 0; r < vRowCount; ++r) {
            const int offset = r < 4 ? block.offsets[at(i)][at(r)] : weights[at(r - 4)];
            for (int j = 0; j < microBatches; ++j)
                entries.emplace_back(offset + block.interval * j, static_cast<VRow>(r));
        }
        std::sort(entries.begin(), entries.end());
        const auto rows = order.device(i);
        for (std::size_t k = 0; k < rows.size(); ++k)
            rows[k] = entries[k].second;
    }
    return order;
}

} // namespace pw
