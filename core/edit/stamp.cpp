// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/compose.h"
#include "core/edit/placing.h"

#include <algorithm>

namespace pw {

namespace {

/// A stretch of time on a device.
struct Stretch
{
    Ticks start = 0;
    Ticks end = 0;
};

/// Ticks that one unit of the block takes, so that no pass is longer than it was drawn.
Ticks unitOf(const BuildingBlock& block, const Costs& costs, const PipelineSpec& spec)
{
    Ticks unit = 1;
    for (const BlockPass& placed : block.passes) {
        const Ticks time = tableTime(costs, spec, placed.pass);
        unit = std::max(unit, (time + placed.duration - 1) / placed.duration);
    }
    return unit;
}

/// The earliest start from `from` on with which none of the new stretches meets one that is there.
Ticks firstFit(const std::vector<std::vector<Stretch>>& there,
               const std::vector<std::vector<Stretch>>& coming, Ticks from)
{
    std::vector<Stretch> forbidden; // starts, both ends outside
    for (std::size_t device = 0; device < there.size(); ++device) {
        for (auto old = there[device].rbegin(); old != there[device].rend(); ++old) {
            if (coming[device].empty() || old->end - coming[device].front().start <= from)
                break;
            for (const Stretch& one : coming[device]) {
                if (old->end - one.start <= from)
                    break;
                forbidden.push_back({old->start - one.end, old->end - one.start});
            }
        }
    }
    std::sort(forbidden.begin(), forbidden.end(),
              [](const Stretch& a, const Stretch& b) { return a.start < b.start; });
    Ticks start = from;
    for (const Stretch& range : forbidden) {
        if (range.start >= start)
            break;
        start = std::max(start, range.end);
    }
    return start;
}

/// The highest micro-batch with a pass; −1 without any.
int lastMicroBatch(const Draft& draft)
{
    int last = -1;
    const auto count = [&](const Pass& pass) {
        if (pass.kind != PassKind::U)
            last = std::max(last, pass.microBatch);
    };
    for (const auto& order : draft.orders) {
        for (const OrderEntry& entry : order) {
            count(entry.pass);
            if (entry.paired)
                count(entry.partner);
        }
    }
    return last;
}

Result<void> checkShape(const BuildingBlock& block, const PipelineSpec& spec)
{
    if (block.devices != spec.devices) {
        return fail(ErrorCode::BadValue, "the block is for " + std::to_string(block.devices) +
                                             " devices, the schedule has " +
                                             std::to_string(spec.devices));
    }
    if (block.routes != spec.routes)
        return fail(ErrorCode::BadValue, "the block places the stages in another way");
    if (block.segmentLengths.size() != spec.segmentLengths.size()) {
        return fail(ErrorCode::BadValue,
                    "the block has " + std::to_string(block.segmentLengths.size()) +
                        " segments, the schedule " + std::to_string(spec.segmentLengths.size()));
    }
    return {};
}

/// Micro-batches from `first` on for a block, and the spec that has them.
Result<void> makeRoom(PipelineSpec& spec, const Arrangement& arrangement, int first, Growth growth)
{
    const int count = arrangement.spec.microBatches;
    if (first + count > spec.totalMicroBatches()) {
        if (growth == Growth::Refuse) {
            return fail(ErrorCode::BadValue,
                        std::to_string(count) + " micro-batches are asked for; " +
                            std::to_string(spec.totalMicroBatches() - first) + " of " +
                            std::to_string(spec.totalMicroBatches()) + " are free");
        }
        const int before = spec.microBatches;
        if (auto ok = grow(spec, first + count); !ok)
            return ok;
        for (int j = before; !spec.routeOfMicroBatch.empty() && j < spec.microBatches; ++j) {
            if (j >= first)
                spec.routeOfMicroBatch[static_cast<std::size_t>(j)] =
                    static_cast<std::uint8_t>(arrangement.spec.route(j - first));
        }
    }
    for (int j = 0; j < count; ++j) {
        if (spec.route(first + j) != arrangement.spec.route(j)) {
            return fail(ErrorCode::BadValue,
                        "micro-batch " + std::to_string(first + j) + " takes route " +
                            std::to_string(spec.route(first + j)) + ", in the block route " +
                            std::to_string(arrangement.spec.route(j)));
        }
    }
    return {};
}

/// One interval after the last micro-batch began.
Ticks nextStart(const Draft& draft, const DraftTimes& times, int last, Ticks interval)
{
    Ticks start = times.times.makespan;
    for (std::size_t device = 0; device < draft.orders.size(); ++device) {
        for (std::size_t i = 0; i < draft.orders[device].size(); ++i) {
            if (draft.orders[device][i].pass.microBatch != last)
                continue;
            start = std::min(start, times.times.start[static_cast<std::size_t>(
                                        times.entry(static_cast<int>(device), i))]);
            break;
        }
    }
    return start + interval;
}

} // namespace

Result<Proposal> stamp(const Project& project, const BuildingBlock& block, int microBatches,
                       Growth growth)
{
    auto arrangement = repeat(block, microBatches);
    if (!arrangement)
        return fail(arrangement.error());
    auto draft = draftOf(project);
    if (!draft)
        return fail(draft.error());
    const int last = lastMicroBatch(*draft);
    const bool empty = std::all_of(draft->orders.begin(), draft->orders.end(),
                                   [](const auto& order) { return order.empty(); });
    if (empty && growth == Growth::Grow && !checkShape(block, draft->spec)) {
        draft->spec = arrangement->spec;
        draft->orders.resize(static_cast<std::size_t>(draft->spec.devices));
    }
    if (auto ok = checkShape(block, draft->spec); !ok)
        return fail(ok.error());
    Project shaped = project;
    shaped.family.reset();
    shaped.draft = *draft;
    const Costs costs = costsOf(shaped);
    const auto times = draftTimes(*draft, costs);
    if (!times)
        return fail(times.error());
    if (auto ok = makeRoom(draft->spec, *arrangement, last + 1, growth); !ok)
        return fail(ok.error());

    const Ticks unit = unitOf(block, costs, draft->spec);
    std::vector<std::vector<Stretch>> there(draft->orders.size()), coming(draft->orders.size());
    for (std::size_t device = 0; device < draft->orders.size(); ++device) {
        for (std::size_t i = 0; i < draft->orders[device].size(); ++i) {
            const auto entry = static_cast<std::size_t>(times->entry(static_cast<int>(device), i));
            there[device].push_back({times->times.start[entry], times->times.end[entry]});
        }
        for (const BlockPass& placed : arrangement->devices[device])
            coming[device].push_back({placed.start * unit, placed.end() * unit});
    }
    Ticks origin = 0;
    for (const auto& device : coming) {
        if (!device.empty())
            origin = std::min(origin, device.front().start);
    }
    const Ticks from =
        last < 0 ? -origin : nextStart(*draft, *times, last, block.interval * unit) - origin;
    const Ticks shift = firstFit(there, coming, from);
    std::vector<Addition> additions;
    for (std::size_t device = 0; device < arrangement->devices.size(); ++device) {
        for (const BlockPass& placed : arrangement->devices[device]) {
            Addition one{static_cast<int>(device), placed.start * unit + shift,
                         single(placed.pass)};
            one.entry.pass.microBatch += last + 1;
            additions.push_back(one);
        }
    }
    return merged(project, *draft, *times, std::move(additions));
}

} // namespace pw
