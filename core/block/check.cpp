// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/check.h"

#include "core/base/try.h"
#include "core/model/schedule.h"
#include "core/sim/dependencies.h"

#include <algorithm>
#include <string>

namespace pw {

namespace {

std::string number(Ticks value)
{
    return std::to_string(value);
}

Result<void> checkRange(const Sentence& what, Ticks value, Ticks lowest)
{
    if (value >= lowest && value <= maxBlockTicks)
        return {};
    return fail(ErrorCode::BadValue, "%1 is %2; %3 to %4", what, number(value), number(lowest),
                number(maxBlockTicks));
}

/// Everything that has to hold before a pass may be used as an index.
Result<void> checkPass(const BuildingBlock& block, const PipelineSpec& spec, std::size_t index)
{
    const BlockPass& placed = block.passes[index];
    const Pass& pass = placed.pass;
    const auto refuse = [&](const std::string& what, Ticks value, Ticks count) {
        return fail(ErrorCode::BadSchedule, "pass %1 of the block, a %2, has %3 %4; 0 to %5",
                    number(static_cast<Ticks>(index)), name(pass.kind), what, number(value),
                    number(count - 1));
    };
    if (pass.kind == PassKind::U)
        return fail(ErrorCode::BadSchedule, "a block has no U; updates are added to the schedule");
    if (pass.stage < 0 || pass.stage >= spec.stages())
        return refuse("stage", pass.stage, spec.stages());
    if (pass.microBatch < 0 || pass.microBatch >= spec.microBatches)
        return refuse("micro-batch", pass.microBatch, spec.microBatches);
    if (pass.segment < 0 || pass.segment >= spec.segments())
        return refuse("segment", pass.segment, spec.segments());
    if (pass.route != spec.route(pass.microBatch)) {
        return fail(ErrorCode::BadSchedule, "%1 is on route %2; its micro-batch takes route %3",
                    describe(pass, spec), number(pass.route), number(spec.route(pass.microBatch)));
    }
    const Sentence text = describe(pass, spec);
    PW_DO(checkRange(said("the start of %1", text), placed.start, -maxBlockTicks));
    return checkRange(said("the duration of %1", text), placed.duration, 1);
}

DeviceOrders byStart(const BuildingBlock& block)
{
    std::vector<BlockPass> sorted = block.passes;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const BlockPass& a, const BlockPass& b) { return a.start < b.start; });
    DeviceOrders orders(static_cast<std::size_t>(block.devices));
    for (const BlockPass& placed : sorted) {
        orders[static_cast<std::size_t>(block.device(placed.pass))].push_back(single(placed.pass));
    }
    return orders;
}

/// Every pass starts when everything it waits for has ended.
Result<void> checkOffsets(const BuildingBlock& block, const Schedule& schedule)
{
    const PassTable& table = schedule.table();
    std::vector<const BlockPass*> placedAt(static_cast<std::size_t>(table.size()), nullptr);
    for (const BlockPass& placed : block.passes)
        placedAt[static_cast<std::size_t>(table.id(placed.pass).value)] = &placed;
    const Dependencies dependencies(schedule);
    std::vector<Dependency> waits;
    for (const BlockPass& placed : block.passes) {
        waits.clear();
        dependencies.append(table.id(placed.pass), waits);
        for (const Dependency& wait : waits) {
            const BlockPass& producer = *placedAt[static_cast<std::size_t>(wait.producer.value)];
            if (producer.end() <= placed.start)
                continue;
            return fail(ErrorCode::BadSchedule, "%1 starts at %2, before %3 ends at %4",
                        describe(placed.pass, schedule.spec()), number(placed.start),
                        describe(producer.pass, schedule.spec()), number(producer.end()));
        }
    }
    return {};
}

Result<void> checkWork(const BuildingBlock& block)
{
    std::vector<Ticks> work(static_cast<std::size_t>(block.devices), 0);
    for (const BlockPass& placed : block.passes)
        work[static_cast<std::size_t>(block.device(placed.pass))] += placed.duration;
    const auto busiest = std::max_element(work.begin(), work.end());
    if (*busiest <= block.interval)
        return {};
    return fail(ErrorCode::BadValue, "interval is %1; device %2 works %3 for one block",
                number(block.interval), number(busiest - work.begin()), number(*busiest));
}

} // namespace

Result<void> check(const BuildingBlock& block)
{
    const PipelineSpec spec = specOf(block);
    PW_DO(check(spec));
    PW_DO(checkRange("interval", block.interval, 1));
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        if (auto pass = checkPass(block, spec, i); !pass)
            return pass;
    }
    PW_TRY(const auto schedule, Schedule::make(spec, byStart(block)));
    PW_DO(checkOffsets(block, schedule));
    return checkWork(block);
}

} // namespace pw
