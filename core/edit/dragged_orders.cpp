// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/dragged_orders.h"

#include "core/base/assert.h"

#include <algorithm>
#include <utility>

namespace pw {

namespace {

/// For each place from `lane.first` on the position that comes there, or that goes back there.
std::vector<std::int32_t> rearrangement(const DragLane& lane, bool back)
{
    if (!back)
        return lane.order;
    std::vector<std::int32_t> order(lane.order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        order[static_cast<std::size_t>(lane.order[at] - lane.first)] =
            lane.first + static_cast<std::int32_t>(at);
    return order;
}

} // namespace

DraggedOrders::DraggedOrders(Draft draft)
    : m_draft(std::move(draft))
{
    if (auto schedule = Schedule::make(m_draft.spec, m_draft.orders))
        m_schedule = *std::move(schedule);
}

Problems DraggedOrders::follow(const DraggedBody& body)
{
    moveDraft(body, false);
    return m_schedule ? moveSchedule(body, false) : Problems();
}

void DraggedOrders::goBack(const DraggedBody& body)
{
    const bool goesBack = !m_scheduleMoved || moveSchedule(body, true).none();
    PW_ASSERT(goesBack);
    if (m_moved)
        moveDraft(body, true);
}

void DraggedOrders::moveDraft(const DraggedBody& body, bool back)
{
    for (const DragLane& lane : body.lanes()) {
        const auto order = rearrangement(lane, back);
        const auto from = m_draft.orders[lane.device.index()].begin() + lane.first;
        const std::vector<OrderEntry> before(from,
                                             from + static_cast<std::ptrdiff_t>(order.size()));
        for (std::size_t at = 0; at < order.size(); ++at)
            *(from + static_cast<std::ptrdiff_t>(at)) =
                before[static_cast<std::size_t>(order[at] - lane.first)];
    }
    m_moved = !back;
}

Problems DraggedOrders::reorder(const DraggedBody& body, const DragLane& lane, bool back)
{
    const EntryId begin = body.begin(lane.device);
    std::vector<EntryId> order;
    for (const std::int32_t at : rearrangement(lane, back))
        order.push_back(begin + at);
    return m_schedule->reorder(begin + lane.first, order);
}

/// Does all of it, or nothing. @return what is wrong on any device
Problems DraggedOrders::moveSchedule(const DraggedBody& body, bool back)
{
    Problems all;
    std::vector<const DragLane*> done;
    for (const DragLane& lane : body.lanes()) {
        const Problems wrong = reorder(body, lane, back);
        if (wrong.none())
            done.push_back(&lane);
        all.count += wrong.count;
        const std::size_t room = Problems::listed - all.list.size();
        all.list.insert(all.list.end(), wrong.list.begin(),
                        wrong.list.begin() +
                            static_cast<std::ptrdiff_t>(std::min(room, wrong.list.size())));
    }
    m_scheduleMoved = !back && all.none();
    bool goesBack = true;
    for (std::size_t i = 0; i < done.size() && !all.none(); ++i)
        goesBack = reorder(body, *done[i], true).none() && goesBack;
    PW_ASSERT(goesBack);
    return all;
}

} // namespace pw
