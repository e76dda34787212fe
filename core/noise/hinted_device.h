// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_problem.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace pw {

/// One device whose order is a hint: while its next pass cannot run, a later one may, the first
/// that can.
///
/// A pass goes ahead only where everything that it passes still fits the limit of the problem; so
/// the device can always go on in its order, and nothing gets stuck.
class HintedDevice
{
public:
    /// @param problem  with the device's limit; outlives this, as the order does
    /// @param order    nodes of the device, within the limit
    /// @param ahead    how many places a pass may go ahead, at least 1
    HintedDevice(const OrderProblem& problem, const std::vector<std::int32_t>& order,
                 DeviceId device, int ahead)
        : m_problem(&problem)
        , m_order(&order)
        , m_limit(problem.limit(device))
        , m_ahead(at(ahead))
        , m_first(order.empty() ? 0 : *std::min_element(order.begin(), order.end()))
    {
        begin();
    }

    /// Forgets what has run.
    void begin()
    {
        m_next = 0;
        m_held = {};
        m_done.assign(m_order->size(), 0);
    }

    bool over() const { return m_next == m_order->size(); }
    /// Place of the first node that has not run.
    std::size_t next() const { return m_next; }
    /// Of a node of this device.
    bool done(std::int32_t node) const { return m_done[at(node - m_first)] != 0; }

    /// The node to run now; −1: none.
    /// @param can  asked in order, for nodes that fit and whose inputs on the device are there,
    /// with
    ///             the node's place: whether it can run
    template<typename Can>
    std::int32_t choose(Can can) const
    {
        const std::size_t end = std::min(m_order->size(), m_next + 1 + m_ahead);
        HeldActivation held = m_held, room = m_limit;
        for (std::size_t i = m_next; i < end; ++i) {
            const std::int32_t node = (*m_order)[i];
            if (done(node))
                continue;
            if (fits(node, i, room) && can(node, i))
                return node;
            // What passes this one adds to what is held while it runs.
            held += m_problem->adds(node);
            room.bytes = std::min(room.bytes, m_limit.bytes - held.bytes);
            room.share = std::min(room.share, m_limit.share - held.share);
            held += m_problem->gives(node);
        }
        return -1;
    }

    /// A chosen node runs.
    void take(std::int32_t node)
    {
        m_done[at(node - m_first)] = 1;
        m_held += m_problem->adds(node);
        m_held += m_problem->gives(node);
        while (m_next < m_order->size() && done((*m_order)[m_next]))
            ++m_next;
    }

private:
    bool fits(std::int32_t node, std::size_t place, const HeldActivation& room) const
    {
        for (const std::int32_t first : m_problem->before(node)) {
            if (!done(first))
                return false;
        }
        // In the given order it fits; ahead of it, beside all that it passes.
        if (place == m_next)
            return true;
        const HeldActivation& own = m_problem->adds(node);
        HeldActivation now = m_held;
        now += own;
        return (own.bytes <= 0 || own.bytes <= room.bytes) &&
               (own.share <= 0 || own.share <= room.share) && now.within(m_limit);
    }

    const OrderProblem* m_problem;
    const std::vector<std::int32_t>* m_order;
    HeldActivation m_limit;
    std::size_t m_ahead;
    std::size_t m_next = 0;
    HeldActivation m_held;
    std::int32_t m_first;     // node: those of a device follow each other
    std::vector<char> m_done; // by node less the first
};

/// What a hint is of: the passes with the most that each device holds in its order as limits, and
/// the orders.
struct HintProblem
{
    OrderProblem problem;
    NodeOrders orders; ///< of equal work that was turned round, with it in order
};

HintProblem hintProblem(const Schedule& schedule, const Costs& costs);

} // namespace pw
