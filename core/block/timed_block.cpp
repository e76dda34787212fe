// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/timed_block.h"

#include "core/base/try.h"
#include "core/block/arrangement.h"

#include <algorithm>

namespace pw {

namespace {

/// When the activation of a cell is freed: the end of the last pass that uses it.
Ticks cellFreedAt(const Schedule& schedule, const SimResult& result, Pass cell)
{
    Ticks freed = 0;
    for (const PassKind kind : {PassKind::B, PassKind::BW, PassKind::W}) {
        cell.kind = kind;
        const PassId id = schedule.table().id(cell);
        if (schedule.has(id))
            freed = std::max(freed, result.end[schedule.entryOf(id).index()]);
    }
    return freed;
}

} // namespace

Result<TimedBlock> timedBlock(const BuildingBlock& block, int microBatches,
                              const std::vector<DeviceLifespans>& lifespans, const Costs& costs)
{
    PW_TRY(const Arrangement arrangement, repeat(block, microBatches));
    PW_TRY(const Schedule schedule, scheduleOf(arrangement));
    const PipelineSpec& spec = schedule.spec();
    TimedBlock times;
    PW_TRY(times.result, simulate(schedule, costs));
    const int repetitions = std::max(1, microBatches / std::max(1, block.microBatches));
    for (const DeviceResult& device : times.result.devices)
        times.interval = std::max(times.interval, device.busy / repetitions);
    const int first = repetitions / 2 * block.microBatches;
    for (const DeviceLifespans& device : lifespans) {
        std::vector<TimedLifespan>& cells = times.cells.emplace_back();
        for (const Lifespan& lifespan : device.cells) {
            Pass cell = lifespan.forward;
            cell.microBatch = std::min(cell.microBatch + first, spec.microBatches - 1);
            TimedLifespan& timed = cells.emplace_back();
            timed.bytes = costs.activation[cellIndex(spec, cell.stage, cell.segment)].activation;
            times.sized = times.sized || timed.bytes > 0;
            const PassId id = schedule.table().id(cell);
            if (schedule.has(id))
                timed.length = cellFreedAt(schedule, times.result, cell) -
                               times.result.start[schedule.entryOf(id).index()];
        }
    }
    return times;
}

} // namespace pw
