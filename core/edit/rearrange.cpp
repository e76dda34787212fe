// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/rearrange.h"

#include "core/base/try.h"
#include "core/block/reorder.h"
#include "core/edit/placing.h"
#include "core/edit/sketch.h"

#include <algorithm>
#include <string>

namespace pw {

namespace {

/// The highest micro-batch with a pass and 1; 0 without any.
int startedMicroBatches(const Draft& draft)
{
    int count = 0;
    for (const auto& order : draft.orders)
        for (const OrderEntry& entry : order)
            if (entry.pass.kind != PassKind::U)
                count = std::max({count, entry.pass.microBatch + 1,
                                  entry.paired ? entry.partner.microBatch + 1 : 0});
    return count;
}

/// The parts of an activation that stay, as the costs of the first cell have them.
Retention retentionOf(const Costs& costs)
{
    Retention keep;
    const ActivationCost& cost = costs.activation.front();
    if (cost.share > 0) {
        const auto whole = static_cast<double>(cost.share);
        keep.keptForWeight = static_cast<double>(cost.keptForWeightShare) / whole;
        keep.stash = static_cast<double>(cost.stashShare) / whole;
    }
    return keep;
}

/// The entries with the times that they have. @error BadValue  what cannot be moved alone
Result<Arrangement> arrangementOf(const Draft& draft, const DraftTimes& times)
{
    if (draft.spec.updates || draft.spec.steps > 1)
        return fail(ErrorCode::BadValue,
                    "the order contains optimizer updates, and passes are not moved across them");
    Arrangement arrangement;
    arrangement.spec = draft.spec;
    arrangement.runs.push_back({});
    for (const DeviceId device : Ids<DeviceId>(draft.spec.devices)) {
        auto& lane = arrangement.devices.emplace_back();
        const auto& order = draft.orders[static_cast<std::size_t>(device)];
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (order[i].paired)
                return fail(ErrorCode::BadValue,
                            "%1 overlaps with %2, and overlapped pairs are not taken apart",
                            describe(order[i].pass, draft.spec),
                            describe(order[i].partner, draft.spec));
            const auto entry = static_cast<std::size_t>(times.entry(device, i));
            const Ticks start = times.times.start[entry];
            lane.push_back(
                {order[i].pass, start, std::max<Ticks>(1, times.times.end[entry] - start)});
        }
    }
    return arrangement;
}

bool heldMore(const SimResult& now, const SimResult& before)
{
    for (std::size_t i = 0; i < now.devices.size(); ++i)
        if (now.devices[i].peakActivation > before.devices[i].peakActivation ||
            now.devices[i].peakShare > before.devices[i].peakShare)
            return true;
    return false;
}

} // namespace

Result<Proposal> repeatMicroBatch(const Project& project, int microBatch)
{
    PW_TRY(const auto draft, draftOf(project));
    Project shaped = project;
    shaped.family.reset();
    shaped.draft = draft;
    const Costs costs = costsOf(shaped);
    PW_TRY(const auto times, draftTimes(draft, costs));
    PW_TRY(const auto block, blockOfMicroBatch(draft, times, costs, microBatch));
    const int free = draft.spec.totalMicroBatches() - startedMicroBatches(draft);
    return stamp(project, block, std::max(1, free), Growth::Grow);
}

Result<Proposal> reorderPasses(const Project& project)
{
    PW_TRY(const auto draft, draftOf(project));
    PW_TRY(const auto wrong, problems(draft));
    if (!wrong.none())
        return fail(ErrorCode::BadSchedule, wrong.list.front().text);
    Project shaped = project;
    shaped.family.reset();
    shaped.draft = draft;
    const Costs costs = costsOf(shaped);
    PW_TRY(const auto times, draftTimes(draft, costs));
    if (!times.ring.empty())
        return fail(ErrorCode::Deadlock, ringText(times, draft.spec));
    PW_TRY(const auto before, arrangementOf(draft, times));
    PW_TRY(const auto after, reorder(before, retentionOf(costs)));
    auto proposal = fillWithArrangement(project, after);
    if (!proposal)
        return proposal;
    // Messages take their time only in the simulation.
    if (proposal->times.times.makespan >= times.times.makespan ||
        heldMore(proposal->times.times, times.times))
        return Proposal{{}, draft, times, {}};
    proposal->added.clear();
    return proposal;
}

} // namespace pw
