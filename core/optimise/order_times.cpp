// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_times.h"

#include <algorithm>

namespace pw {

OrderTimes::OrderTimes(const OrderProblem& problem)
    : m_problem(&problem)
    , m_start(at(problem.nodes()))
    , m_tail(at(problem.nodes()))
    , m_place(at(problem.nodes()))
    , m_previous(at(problem.nodes()))
    , m_next(at(problem.nodes()))
    , m_sequence(at(problem.nodes()))
    , m_rank(at(problem.nodes()))
    , m_open(at(problem.nodes()))
    , m_queue(at(problem.nodes()))
    , m_offset(at(problem.devices()))
{
}

void OrderTimes::link(const std::vector<std::int32_t>& order, int first, int last)
{
    const int count = static_cast<int>(order.size());
    for (int i = first; i <= last; ++i) {
        const std::int32_t node = order[at(i)];
        m_place[at(node)] = i;
        m_previous[at(node)] = i > 0 ? order[at(i - 1)] : -1;
        m_next[at(node)] = i + 1 < count ? order[at(i + 1)] : -1;
    }
    if (first > 0 && first <= last)
        m_next[at(order[at(first - 1)])] = order[at(first)];
    if (last + 1 < count && first <= last)
        m_previous[at(order[at(last + 1)])] = order[at(last)];
}

bool OrderTimes::evaluateStarts(const NodeOrders& orders)
{
    std::int32_t count = 0;
    for (const auto& order : orders) {
        link(order, 0, static_cast<int>(order.size()) - 1);
        for (const std::int32_t node : order)
            m_sequence[at(count++)] = node;
    }
    for (std::int32_t i = 0; i < count; ++i)
        m_rank[at(m_sequence[at(i)])] = i;
    if (!starts(0))
        return false;
    measure(orders);
    return true;
}

bool OrderTimes::evaluate(const NodeOrders& orders)
{
    if (!evaluateStarts(orders))
        return false;
    tails(orders);
    return true;
}

bool OrderTimes::evaluateChange(const NodeOrders& orders, DeviceId device, int first, int last)
{
    const auto& order = orders[at(device)];
    std::int32_t from = m_problem->nodes();
    for (int i = first; i <= last; ++i)
        from = std::min(from, m_rank[at(order[at(i)])]);
    link(order, first, last);
    if (!starts(from))
        return false;
    measure(orders);
    tails(orders);
    return true;
}

/// Evaluates everything from a rank on; what is before it has its start.
bool OrderTimes::starts(std::int32_t from)
{
    const std::int32_t count = m_problem->nodes();
    std::int32_t head = 0, tail = 0;
    for (std::int32_t i = from; i < count; ++i) {
        const std::int32_t node = m_sequence[at(i)];
        std::int32_t open = 0;
        if (m_previous[at(node)] >= 0 && m_rank[at(m_previous[at(node)])] >= from)
            ++open;
        for (const OrderProblem::Arc& arc : m_problem->inputs(node))
            open += m_rank[at(arc.node)] >= from ? 1 : 0;
        m_open[at(node)] = open;
        if (open == 0)
            m_queue[at(tail++)] = node;
    }
    // Ranks are given anew only at the end: until then they say what is before `from`.
    while (head < tail) {
        const std::int32_t node = m_queue[at(head++)];
        Ticks start = inputsReady(node);
        if (m_previous[at(node)] >= 0)
            start = std::max(start, end(m_previous[at(node)]));
        m_start[at(node)] = start;
        if (const std::int32_t next = m_next[at(node)]; next >= 0 && --m_open[at(next)] == 0)
            m_queue[at(tail++)] = next;
        for (const OrderProblem::Arc& arc : m_problem->outputs(node)) {
            if (--m_open[at(arc.node)] == 0)
                m_queue[at(tail++)] = arc.node;
        }
    }
    if (tail != count - from)
        return false;
    for (std::int32_t i = 0; i < tail; ++i) {
        m_sequence[at(from + i)] = m_queue[at(i)];
        m_rank[at(m_queue[at(i)])] = from + i;
    }
    return true;
}

void OrderTimes::measure(const NodeOrders& orders)
{
    m_objective = 0;
    for (std::size_t device = 0; device < orders.size(); ++device) {
        if (orders[device].empty())
            continue;
        m_offset[device] =
            m_problem->aim() == OrderAim::Span ? start(orders[device].front()) : Ticks{0};
        m_objective = std::max(m_objective, end(orders[device].back()) - m_offset[device]);
    }
}

void OrderTimes::tails(const NodeOrders& orders)
{
    (void)orders;
    for (std::int32_t i = m_problem->nodes(); i-- > 0;) {
        const std::int32_t node = m_sequence[at(i)];
        const std::int32_t next = m_next[at(node)];
        const Ticks own = next >= 0 ? m_problem->time(next) + m_tail[at(next)]
                                    : -m_offset[at(m_problem->device(node))];
        m_tail[at(node)] = std::max(own, outputsTail(node));
    }
}

Ticks OrderTimes::inputsReady(std::int32_t node) const
{
    Ticks ready = 0;
    for (const OrderProblem::Arc& arc : m_problem->inputs(node))
        ready = std::max(ready, end(arc.node) + arc.delay);
    return ready;
}

Ticks OrderTimes::outputsTail(std::int32_t node) const
{
    Ticks way = noWay;
    for (const OrderProblem::Arc& arc : m_problem->outputs(node))
        way = std::max(way, arc.delay + m_problem->time(arc.node) + m_tail[at(arc.node)]);
    return way;
}

} // namespace pw
