// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/block/collisions.h"
#include "core/block/draw.h"
#include "core/edit/sketch.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <numeric>

namespace pw {

namespace {

bool has(const BuildingBlock& block, const Pass& pass)
{
    return std::any_of(block.passes.begin(), block.passes.end(),
                       [&pass](const BlockPass& placed) { return placed.pass == pass; });
}

/// With the times of all passes counted from the first start, in the largest unit they share.
void normalise(BuildingBlock& block)
{
    Ticks first = block.passes.front().start;
    for (const BlockPass& placed : block.passes)
        first = std::min(first, placed.start);
    Ticks unit = 0;
    for (const BlockPass& placed : block.passes)
        unit = std::gcd(std::gcd(unit, placed.start - first), placed.duration);
    for (BlockPass& placed : block.passes) {
        placed.start = (placed.start - first) / unit;
        placed.duration /= unit;
    }
}

} // namespace

Result<BuildingBlock> blockOfMicroBatch(const Draft& draft, const DraftTimes& times,
                                        const Costs& costs, int microBatch)
{
    const PipelineSpec& spec = draft.spec;
    BuildingBlock block;
    block.devices = spec.devices;
    block.segmentLengths = spec.segmentLengths;
    block.routes = spec.routes;
    if (microBatch < 0 || microBatch >= spec.totalMicroBatches())
        return fail(ErrorCode::BadValue, "micro-batch is %1; 0 to %2", microBatch,
                    spec.totalMicroBatches() - 1);
    if (spec.routeCount() > 1)
        block.routeOfMicroBatch = {static_cast<std::uint8_t>(spec.route(microBatch))};
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        for (std::size_t i = 0; i < draft.orders[device.index()].size(); ++i) {
            const OrderEntry& order = draft.orders[device.index()][i];
            const std::size_t entry = times.entry(device, i).index();
            const Ticks start = times.times.start[entry];
            const Ticks end = times.times.end[entry];
            const auto take = [&](Pass pass) {
                if (pass.microBatch != microBatch || pass.kind == PassKind::U ||
                    !belongs(spec, pass, device))
                    return;
                Ticks duration = end - start;
                if (order.paired)
                    duration = std::min(duration, passTime(costs, spec, pass));
                const Ticks from = order.paired && isBackward(pass.kind) ? end - duration : start;
                pass.microBatch = 0;
                if (!has(block, pass))
                    block.passes.push_back({pass, from, std::max<Ticks>(1, duration)});
            };
            take(order.pass);
            if (order.paired)
                take(order.partner);
        }
    }
    if (block.passes.empty())
        return fail(ErrorCode::BadValue, "micro-batch %1 has no pass yet", microBatch);
    normalise(block);
    std::vector<Ticks> work(static_cast<std::size_t>(block.devices), 0);
    for (const BlockPass& placed : block.passes)
        work[static_cast<std::size_t>(block.device(placed.pass))] += placed.duration;
    block.interval = leastInterval(block).value_or(*std::max_element(work.begin(), work.end()));
    PW_DO(checkPasses(block));
    return block;
}

} // namespace pw
