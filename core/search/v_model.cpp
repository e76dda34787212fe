// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/v_model.h"

#include "core/base/assert.h"
#include "core/base/index.h"
#include "core/block/draw.h"

namespace pw {

VProblem vProblemOf(const PipelineSpec& spec, const Costs& costs)
{
    const int stages = spec.stages();
    PW_ASSERT(stages == 2 * spec.devices && spec.segments() == 1);
    VProblem problem;
    problem.devices = spec.devices;
    problem.microBatches = spec.microBatches;
    for (const StageId s : Ids<StageId>(stages)) {
        problem.forward.push_back(tableTime(costs, spec, {PassKind::F, 0, s, 0, 0}));
        problem.backward.push_back(tableTime(costs, spec, {PassKind::B, 0, s, 0, 0}));
        problem.weight.push_back(tableTime(costs, spec, {PassKind::W, 0, s, 0, 0}));
    }
    for (StageId s(0); s + 1 < stages; ++s) {
        const DeviceId here = spec.device(0, s);
        const DeviceId there = spec.device(0, s + 1);
        const Bytes activation = messageBytes(costs, spec, {PassKind::F, 0, s, 0, 0}, PassKind::F);
        const Bytes gradient =
            messageBytes(costs, spec, {PassKind::B, 0, s + 1, 0, 0}, PassKind::B);
        problem.activationLatency.push_back(
            nominalMessageTime(costs, spec, here, there, activation));
        problem.gradientLatency.push_back(nominalMessageTime(costs, spec, there, here, gradient));
    }
    return problem;
}

DeviceOrders vDeviceOrders(const VOrder& order)
{
    DeviceOrders orders(at(order.devices()));
    for (const DeviceId i : Ids<DeviceId>(order.devices())) {
        std::array<int, vRowCount> next{};
        auto& entries = orders[at(i)];
        entries.reserve(at(order.length()));
        for (const VRow row : order.device(i)) {
            Pass pass;
            pass.kind = isForward(row) ? PassKind::F : (isWeight(row) ? PassKind::W : PassKind::B);
            pass.stage = stageOf(row, i, order.devices());
            pass.microBatch = next[static_cast<std::size_t>(row)]++;
            entries.push_back(single(pass));
        }
    }
    return orders;
}

BuildingBlock vDrawnBlock(const VBlock& block)
{
    const int p = block.devices();
    std::vector<StageOffsets> offsets(at(2 * p));
    for (const DeviceId i : Ids<DeviceId>(p)) {
        const auto& rows = block.offsets[at(i)];
        const auto weights = weightOffsets(block, i);
        offsets[at(i)] = {rows[0], rows[3], weights[1]};
        offsets[at(2 * p - 1 - i)] = {rows[1], rows[2], weights[0]};
    }
    return drawBlock(p, Placement::vShape(p), block.interval, offsets);
}

} // namespace pw
