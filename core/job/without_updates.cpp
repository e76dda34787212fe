// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/without_updates.h"

#include "core/trace/match.h"
#include "core/trace/recover_parts.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pw {

namespace {

/// The order without U.
std::optional<Schedule> orderWithoutUpdates(const Schedule& schedule)
{
    PipelineSpec spec = schedule.spec();
    spec.updates = false;
    DeviceOrders orders = schedule.orders();
    for (std::vector<OrderEntry>& order : orders)
        order.erase(
            std::remove_if(order.begin(), order.end(),
                           [](const OrderEntry& one) { return one.pass.kind == PassKind::U; }),
            order.end());
    Result<Schedule> made = Schedule::make(std::move(spec), orders);
    return made ? std::optional(std::move(*made)) : std::nullopt;
}

/// Takes the updates out of an iteration, and gives the rest its places in the order.
void leaveUpdatesOut(RecoveredIteration& iteration, const Schedule& before, const Schedule& after)
{
    std::vector<RecordedPass> passes;
    std::vector<Trust> trust;
    iteration.first = std::numeric_limits<Ticks>::max();
    iteration.last = std::numeric_limits<Ticks>::min();
    for (std::size_t i = 0; i < iteration.passes.size(); ++i) {
        RecordedPass record = iteration.passes[i];
        if (record.pass.kind == PassKind::U)
            continue;
        if (record.entry.valid() && before.entry(record.entry).pass.kind != PassKind::U)
            record.entry = after.entryOf(after.table().id(record.pass));
        iteration.first = std::min(iteration.first, record.start);
        iteration.last = std::max(iteration.last, record.end);
        passes.push_back(record);
        trust.push_back(iteration.trust[i]);
    }
    iteration.passes = std::move(passes);
    iteration.trust = std::move(trust);
}

} // namespace

std::optional<RecoveredPipeline> withoutUpdates(const RecoveredPipeline& pipeline)
{
    if (!pipeline.schedule || !pipeline.schedule->spec().updates ||
        pipeline.schedule->spec().steps > 1 ||
        pipeline.schedule->spec().updateRule != UpdateRule::Flush)
        return std::nullopt;
    std::optional<Schedule> order = orderWithoutUpdates(*pipeline.schedule);
    if (!order)
        return std::nullopt;
    RecoveredPipeline made = pipeline;
    for (RecoveredIteration& one : made.iterations)
        leaveUpdatesOut(one, *pipeline.schedule, *order);
    made.schedule = std::move(order);
    findFigures(made);
    findTimes(made);
    return made;
}

} // namespace pw
