// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"
#include "core/edit/drag_state.h"

#include <algorithm>
#include <limits>

// The order that a drag asks for: places of the grabbed entries, and what they push.
namespace pw {

/// Gives every grabbed entry of a device the place that its time has among the others.
void Drag::State::place(DragLane& lane, Ticks by) const
{
    lane.slots.assign(lane.grabbed.size(), 0);
    const EntryId begin = base.begin[lane.device.index()];
    const std::int32_t count = length(lane.device);
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        const std::int32_t own = lane.grabbed[i];
        std::int32_t slot = own;
        // Twice the middle, so that nothing is halved.
        const auto twiceMiddle = [&](std::int32_t position) {
            return start(begin + position) + end(begin + position);
        };
        if (by > 0) {
            const Ticks edge = end(begin + own) + by;
            for (std::int32_t at = own + 1; at < count; ++at) {
                if (grabbed(begin + at))
                    continue;
                if (twiceMiddle(at) >= 2 * edge)
                    break;
                slot = at + 1;
            }
        } else {
            const Ticks edge = start(begin + own) + by;
            for (std::int32_t at = own; at-- > 0;) {
                if (grabbed(begin + at))
                    continue;
                if (twiceMiddle(at) <= 2 * edge)
                    break;
                slot = at;
            }
        }
        lane.slots[i] = i == 0 ? slot : std::max(slot, lane.slots[i - 1]);
    }
}

void Drag::State::reach(EntryId entry, Ticks until)
{
    if (reached[static_cast<std::size_t>(entry)] != 0 || start(entry) > until)
        return;
    reached[static_cast<std::size_t>(entry)] = 1;
    found.push_back(entry);
    queue.push_back(entry);
}

void Drag::State::reachFrom(EntryId entry, Ticks until)
{
    const auto at = static_cast<std::size_t>(entry);
    for (std::int32_t i = arrowsFrom[at]; i < arrowsFrom[at + 1]; ++i)
        reach(arrows[static_cast<std::size_t>(i)], until);
    // A grabbed entry does not hold what stands behind it; it may be overtaken.
    if (!grabbed(entry) && lastOfDevice[at] == 0)
        reach(entry + 1, until);
}

/// Collects who waits for whom, in the order at the beginning.
void Drag::State::findArrows()
{
    EntryId entry{0};
    for (const auto& order : draft.orders) {
        for (const OrderEntry& passes : order) {
            arrowsFrom.push_back(static_cast<std::int32_t>(arrows.size()));
            if (present.entry(passes.pass) == entry)
                present.consumers(passes.pass, arrows);
            if (passes.paired && present.entry(passes.partner) == entry)
                present.consumers(passes.partner, arrows);
            lastOfDevice.push_back(&passes == &order.back() ? 1 : 0);
            ++entry;
        }
    }
    arrowsFrom.push_back(static_cast<std::int32_t>(arrows.size()));
}

void Drag::State::forget()
{
    for (const EntryId entry : found)
        reached[static_cast<std::size_t>(entry)] = 0;
    found.clear();
}

/// Marks what depends on the grabbed entries and on what they push, as far as it starts by a time.
/// When less is overtaken, more is pushed, so marks stay.
void Drag::State::dependents(Ticks until)
{
    for (const DragLane& lane : lanes) {
        const EntryId begin = base.begin[lane.device.index()];
        for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
            reach(begin + lane.grabbed[i], std::numeric_limits<Ticks>::max());
            if (lane.slots[i] <= lane.grabbed[i])
                continue;
            // What it does not overtake it pushes.
            std::int32_t behind = lane.slots[i];
            while (behind < length(lane.device) && grabbed(begin + behind))
                ++behind;
            if (behind < length(lane.device))
                reach(begin + behind, until);
        }
    }
    while (!queue.empty()) {
        const EntryId entry(queue.back());
        queue.pop_back();
        reachFrom(entry, until);
    }
}

/// Takes back what overtakes something that depends on the body. @return whether anything did
bool Drag::State::holdBack(DragLane& lane) const
{
    const EntryId begin = base.begin[lane.device.index()];
    bool changed = false;
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        for (std::int32_t at = lane.grabbed[i] + 1; at < lane.slots[i]; ++at) {
            if (grabbed(begin + at) || reached[static_cast<std::size_t>(begin + at)] == 0)
                continue;
            lane.slots[i] = at;
            changed = true;
        }
    }
    // What stands behind in the body stays behind.
    for (std::size_t i = lane.grabbed.size(); i-- > 1;)
        lane.slots[i - 1] = std::min(lane.slots[i - 1], std::max(lane.slots[i], lane.grabbed[i]));
    return changed;
}

/// Writes down the order that the places give, from the first position that changes to the last.
void Drag::State::arrange(DragLane& lane) const
{
    std::int32_t last = lane.first = lane.grabbed.front();
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        lane.first = std::min({lane.first, lane.grabbed[i], lane.slots[i]});
        last = std::max({last, lane.grabbed[i] + 1, lane.slots[i]});
    }
    const EntryId begin = base.begin[lane.device.index()];
    lane.order.clear();
    std::size_t next = 0;
    for (std::int32_t at = lane.first; at <= last; ++at) {
        while (next < lane.grabbed.size() && lane.slots[next] <= at) {
            lane.order.push_back(lane.grabbed[next]);
            ++next;
        }
        if (at < last && !grabbed(begin + at))
            lane.order.push_back(at);
    }
}

/// For each place from `lane.first` on the position that comes there, or that goes back there.
std::vector<std::int32_t> Drag::State::rearrangement(const DragLane& lane, bool back) const
{
    if (!back)
        return lane.order;
    std::vector<std::int32_t> order(lane.order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        order[static_cast<std::size_t>(lane.order[at] - lane.first)] =
            lane.first + static_cast<std::int32_t>(at);
    return order;
}

void Drag::State::moveDraft(bool back)
{
    for (const DragLane& lane : lanes) {
        const auto order = rearrangement(lane, back);
        const auto from = draft.orders[static_cast<std::size_t>(lane.device)].begin() + lane.first;
        const std::vector<OrderEntry> before(from,
                                             from + static_cast<std::ptrdiff_t>(order.size()));
        for (std::size_t at = 0; at < order.size(); ++at)
            *(from + static_cast<std::ptrdiff_t>(at)) =
                before[static_cast<std::size_t>(order[at] - lane.first)];
    }
    moved = !back;
}

Problems Drag::State::reorderLane(const DragLane& lane, bool back)
{
    const EntryId begin = base.begin[lane.device.index()];
    std::vector<EntryId> order;
    for (const std::int32_t at : rearrangement(lane, back))
        order.push_back(begin + at);
    return schedule->reorder(begin + lane.first, order);
}

/// Does all of it, or nothing. @return what is wrong on any device
Problems Drag::State::moveSchedule(bool back)
{
    Problems all;
    std::vector<const DragLane*> done;
    for (const DragLane& lane : lanes) {
        const Problems wrong = reorderLane(lane, back);
        if (wrong.none())
            done.push_back(&lane);
        all.count += wrong.count;
        const std::size_t room = Problems::listed - all.list.size();
        all.list.insert(all.list.end(), wrong.list.begin(),
                        wrong.list.begin() +
                            static_cast<std::ptrdiff_t>(std::min(room, wrong.list.size())));
    }
    scheduleMoved = !back && all.none();
    bool goesBack = true;
    for (std::size_t i = 0; i < done.size() && !all.none(); ++i)
        goesBack = reorderLane(*done[i], true).none() && goesBack;
    PW_ASSERT(goesBack);
    return all;
}

} // namespace pw
