// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/dragged_orders.h"

#include "core/base/assert.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pw {

DraggedOrders::DraggedOrders(Draft draft)
    : m_draft(std::move(draft))
{
    if (auto schedule = Schedule::make(m_draft.spec, m_draft.orders))
        m_schedule = *std::move(schedule);
}

Problems DraggedOrders::follow(const DraggedBody& body)
{
    Arrangements then;
    for (const DragLane& lane : body.lanes())
        then.push_back({lane.first, lane.order});
    moveDraft(body, then);
    const Problems wrong = m_schedule ? moveSchedule(body, then) : Problems();
    m_inStep = wrong.none();
    return wrong;
}

void DraggedOrders::goBack(const DraggedBody& body)
{
    const Arrangements then(body.lanes().size());
    moveDraft(body, then);
    m_inStep = !m_schedule || moveSchedule(body, then).none();
    PW_ASSERT(m_inStep);
}

/// What takes a device from one arrangement to another: for each place from `first` on the position
/// that comes there.
DraggedOrders::Arrangement DraggedOrders::between(const Arrangement& now, const Arrangement& then)
{
    if (now.order.empty())
        return then;
    const auto end = [](const Arrangement& of) {
        return of.first + static_cast<std::int32_t>(of.order.size());
    };
    const bool further = !then.order.empty();
    const std::int32_t first = further ? std::min(now.first, then.first) : now.first;
    const std::int32_t last = further ? std::max(end(now), end(then)) : end(now);
    std::vector<std::int32_t> where(static_cast<std::size_t>(last - first)); // now, by position
    std::iota(where.begin(), where.end(), first);
    for (std::size_t at = 0; at < now.order.size(); ++at)
        where[static_cast<std::size_t>(now.order[at] - first)] =
            now.first + static_cast<std::int32_t>(at);
    Arrangement by{first, where};
    for (std::size_t at = 0; at < then.order.size(); ++at)
        by.order[static_cast<std::size_t>(then.first - first) + at] =
            where[static_cast<std::size_t>(then.order[at] - first)];
    return by;
}

void DraggedOrders::moveDraft(const DraggedBody& body, const Arrangements& then)
{
    m_draftNow.resize(then.size());
    for (std::size_t i = 0; i < then.size(); ++i) {
        const Arrangement by = between(m_draftNow[i], then[i]);
        const auto from = m_draft.orders[body.lanes()[i].device.index()].begin() + by.first;
        const std::vector<OrderEntry> before(from,
                                             from + static_cast<std::ptrdiff_t>(by.order.size()));
        for (std::size_t at = 0; at < by.order.size(); ++at)
            *(from + static_cast<std::ptrdiff_t>(at)) =
                before[static_cast<std::size_t>(by.order[at] - by.first)];
    }
    m_draftNow = then;
}

Problems DraggedOrders::reorder(EntryId begin, const Arrangement& by)
{
    std::vector<EntryId> order;
    order.reserve(by.order.size());
    for (const std::int32_t at : by.order)
        order.push_back(begin + at);
    return m_schedule->reorder(begin + by.first, order);
}

/// Does all of it, or nothing. @return what is wrong on any device
Problems DraggedOrders::moveSchedule(const DraggedBody& body, const Arrangements& then)
{
    Problems all;
    std::vector<std::size_t> done;
    m_scheduleNow.resize(then.size());
    for (std::size_t i = 0; i < then.size(); ++i) {
        const Problems wrong =
            reorder(body.begin(body.lanes()[i].device), between(m_scheduleNow[i], then[i]));
        if (wrong.none())
            done.push_back(i);
        all.count += wrong.count;
        const std::size_t room = Problems::listed - all.list.size();
        all.list.insert(all.list.end(), wrong.list.begin(),
                        wrong.list.begin() +
                            static_cast<std::ptrdiff_t>(std::min(room, wrong.list.size())));
    }
    if (all.none()) {
        m_scheduleNow = then;
        return all;
    }
    bool goesBack = true;
    for (const std::size_t i : done) {
        const EntryId begin = body.begin(body.lanes()[i].device);
        goesBack = reorder(begin, between(then[i], m_scheduleNow[i])).none() && goesBack;
    }
    PW_ASSERT(goesBack);
    return all;
}

} // namespace pw
