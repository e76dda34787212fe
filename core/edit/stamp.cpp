// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
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
    for (std::size_t lane = 0; lane < there.size(); ++lane) {
        for (auto old = there[lane].rbegin(); old != there[lane].rend(); ++old) {
            if (coming[lane].empty() || old->end - coming[lane].front().start <= from)
                break;
            for (const Stretch& one : coming[lane]) {
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
        return fail(ErrorCode::BadValue, "the block is for %1 devices, the schedule has %2",
                    block.devices, spec.devices);
    }
    if (block.routes != spec.routes)
        return fail(ErrorCode::BadValue, "the block places the stages in another way");
    if (block.segmentLengths.size() != spec.segmentLengths.size()) {
        return fail(ErrorCode::BadValue, "the block has %1 segments, the schedule %2",
                    block.segmentLengths.size(), spec.segmentLengths.size());
    }
    return {};
}

/// Micro-batches from `first` on for a block, and the spec that has them.
///
/// @param block  spec of the repeated block, whose micro-batches from `before` on are new
Result<void> makeRoom(PipelineSpec& spec, const PipelineSpec& block, int before, int first,
                      Growth growth)
{
    const int count = block.microBatches - before;
    if (first + count > spec.totalMicroBatches()) {
        if (growth == Growth::Refuse) {
            return fail(ErrorCode::BadValue, "%1 micro-batches are asked for; %2 of %3 are free",
                        count, spec.totalMicroBatches() - first, spec.totalMicroBatches());
        }
        const int there = spec.microBatches;
        PW_DO(grow(spec, first + count));
        for (int j = there; !spec.routeOfMicroBatch.empty() && j < spec.microBatches; ++j) {
            if (j >= first)
                spec.routeOfMicroBatch[static_cast<std::size_t>(j)] =
                    static_cast<std::uint8_t>(block.route(before + j - first));
        }
    }
    for (int j = 0; j < count; ++j) {
        if (spec.route(first + j) != block.route(before + j)) {
            return fail(ErrorCode::BadValue, "micro-batch %1 takes route %2, in the block route %3",
                        first + j, spec.route(first + j), block.route(before + j));
        }
    }
    return {};
}

/// One interval after the last micro-batch began.
Ticks nextStart(const Draft& draft, const DraftTimes& times, int last, Ticks interval)
{
    Ticks start = times.times.makespan;
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        const std::vector<OrderEntry>& order = draft.orders[device.index()];
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (order[i].pass.microBatch != last)
                continue;
            start = std::min(start, times.times.start[times.entry(device, i).index()]);
            break;
        }
    }
    return start + interval;
}

/// The passes of the micro-batches from `first` to before `last`, counted from `first`.
std::vector<OrderEntry> entriesBetween(const std::vector<OrderEntry>& order, int first, int last)
{
    std::vector<OrderEntry> entries;
    for (OrderEntry entry : order) {
        if (entry.pass.kind == PassKind::U || entry.pass.microBatch < first ||
            entry.pass.microBatch >= last)
            continue;
        entry.pass.microBatch -= first;
        entry.partner.microBatch -= entry.paired ? first : 0;
        entries.push_back(entry);
    }
    return entries;
}

/// Whether the last `count` micro-batches stand on every device as those of a repeated block do.
bool endsWithBlock(const Draft& draft, const DeviceOrders& repeated, int micro, int count)
{
    for (std::size_t i = 0; i < repeated.size(); ++i) {
        if (entriesBetween(draft.orders[i], micro - count, micro) !=
            entriesBetween(repeated[i], 0, count))
            return false;
    }
    return true;
}

/// How many of the last micro-batches were made by the block, one stamp or several; 0: none.
///
/// @param micro  micro-batches that have passes
int repetitions(const Draft& draft, const BuildingBlock& block, int micro)
{
    if (micro == 0)
        return 0;
    const auto arrangement = repeat(block, micro);
    if (!arrangement)
        return 0;
    const DeviceOrders orders = ordersOf(*arrangement);
    int most = 0;
    // Fewer of the last ones stand right where more do, as long as whole groups are left out.
    for (int left = 0; left < std::min(block.microBatches, micro); ++left) {
        int low = 0, high = (micro - left) / block.microBatches;
        const auto countOf = [&](int groups) { return micro - left - groups * block.microBatches; };
        if (!endsWithBlock(draft, orders, micro, countOf(high)))
            continue;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (endsWithBlock(draft, orders, micro, countOf(middle)))
                high = middle;
            else
                low = middle + 1;
        }
        most = std::max(most, countOf(high));
    }
    return most;
}

/// The new passes where the repeated block has them among those of its last repetitions; what else
/// is there stays before the pass that it stood before.
///
/// @param repeated  orders of the block for the old and the new micro-batches
/// @param first     micro-batch that the block began with
/// @param next      the first new one
std::vector<std::vector<PlacedEntry>> interlocked(const Draft& draft, DeviceOrders repeated,
                                                  int first, int next)
{
    std::vector<std::vector<PlacedEntry>> placed(draft.orders.size());
    for (const DeviceId device : Ids<DeviceId>(repeated.size())) {
        const std::vector<OrderEntry>& there = draft.orders[device.index()];
        std::vector<PlacedEntry>& own = placed[device.index()];
        std::size_t at = 0;
        std::vector<OrderEntry> waiting;
        const auto place = [&] {
            for (const OrderEntry& entry : waiting)
                own.push_back({static_cast<std::int32_t>(at + own.size()), entry});
            waiting.clear();
        };
        for (OrderEntry entry : repeated[device.index()]) {
            entry.pass.microBatch += first;
            if (entry.pass.microBatch >= next) {
                waiting.push_back(entry);
                continue;
            }
            while (!(there[at] == entry))
                ++at;
            place();
            ++at;
        }
        at = there.size();
        place();
    }
    return placed;
}

/// The shape of a block for an empty draft: whoever asked for micro-batches keeps them.
PipelineSpec shapeOf(const BuildingBlock& block, int microBatches, const PipelineSpec& asked)
{
    const bool enough = microBatches <= asked.totalMicroBatches();
    PipelineSpec spec = specOf(block, enough ? asked.microBatches : microBatches);
    spec.steps = enough ? asked.steps : 1;
    spec.updates = asked.updates;
    spec.updateRule = asked.updateRule;
    spec.messages = asked.messages;
    return spec;
}

/// The new passes by their drawn times behind what is there, wherever that stands.
Result<Proposal> goesBehind(const Project& project, const Draft& draft, const DraftTimes& times,
                            const BuildingBlock& block, const Arrangement& arrangement, int last)
{
    Project shaped = project;
    shaped.family.reset();
    shaped.draft = draft;
    const Ticks unit = unitOf(block, costsOf(shaped), draft.spec);
    std::vector<std::vector<Stretch>> there(draft.orders.size()), coming(draft.orders.size());
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        const std::size_t lane = device.index();
        for (std::size_t i = 0; i < draft.orders[lane].size(); ++i) {
            const std::size_t entry = times.entry(device, i).index();
            there[lane].push_back({times.times.start[entry], times.times.end[entry]});
        }
        for (const BlockPass& placed : arrangement.devices[lane])
            coming[lane].push_back({placed.start * unit, placed.end() * unit});
    }
    Ticks origin = 0;
    for (const auto& device : coming) {
        if (!device.empty())
            origin = std::min(origin, device.front().start);
    }
    const Ticks from =
        last < 0 ? -origin : nextStart(draft, times, last, block.interval * unit) - origin;
    const Ticks shift = firstFit(there, coming, from);
    std::vector<Addition> additions;
    for (const DeviceId device : Ids<DeviceId>(arrangement.devices.size())) {
        for (const BlockPass& placed : arrangement.devices[device.index()]) {
            Addition one{device, placed.start * unit + shift, single(placed.pass)};
            one.entry.pass.microBatch += last + 1;
            additions.push_back(one);
        }
    }
    return merged(project, draft, times, std::move(additions));
}

} // namespace

Result<Proposal> stamp(const Project& project, const BuildingBlock& block, int microBatches,
                       Growth growth)
{
    PW_TRY(auto arrangement, repeat(block, microBatches));
    PW_TRY(auto draft, draftOf(project));
    const int last = lastMicroBatch(draft);
    const bool empty = std::all_of(draft.orders.begin(), draft.orders.end(),
                                   [](const auto& order) { return order.empty(); });
    if (empty && growth == Growth::Grow && !checkShape(block, draft.spec)) {
        draft.spec = shapeOf(block, microBatches, draft.spec);
        draft.orders.resize(static_cast<std::size_t>(draft.spec.devices));
    }
    PW_DO(checkShape(block, draft.spec));
    Project shaped = project;
    shaped.family.reset();
    shaped.draft = draft;
    PW_TRY(const auto times, draftTimes(draft, costsOf(shaped)));

    // Behind blocks of its kind a block goes on where they stand, whatever times they have got.
    if (const int before = repetitions(draft, block, last + 1); before > 0) {
        PW_TRY(auto longer, repeat(block, before + microBatches));
        Draft roomy = draft;
        PW_DO(makeRoom(roomy.spec, longer.spec, before, last + 1, growth));
        auto proposal = inserted(project, roomy,
                                 interlocked(roomy, ordersOf(longer), last + 1 - before, last + 1));
        // Passes that stand between the blocks may hold it up: then it goes behind all.
        if (!proposal || proposal->times.ring.empty())
            return proposal;
    }
    PW_DO(makeRoom(draft.spec, arrangement.spec, 0, last + 1, growth));
    return goesBehind(project, draft, times, block, arrangement, last);
}

} // namespace pw
