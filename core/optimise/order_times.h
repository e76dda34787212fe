// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_problem.h"

#include <vector>

namespace pw {

/// Start of every node of an order, and the longest way from its end to the end of all; keeps its
/// buffers.
///
/// What stands before the first changed node in the order of evaluation is kept from one call to
/// the next.
class OrderTimes
{
public:
    /// @param problem  outlives this
    explicit OrderTimes(const OrderProblem& problem);

    /// Evaluates an order from its beginning. @return false where devices wait in a ring
    bool evaluate(const NodeOrders& orders);

    /// The same after a change of one device between two places, both included.
    /// @return false where devices wait in a ring; the figures are then worth nothing, and the next
    /// call is to be `evaluate`
    bool evaluateChange(const NodeOrders& orders, DeviceId device, int first, int last);

    /// Starts alone, of an order whose objective is asked for and nothing else.
    bool evaluateStarts(const NodeOrders& orders);

    Ticks objective() const { return m_objective; }
    Ticks start(std::int32_t node) const { return m_start[at(node)]; }
    Ticks end(std::int32_t node) const { return m_start[at(node)] + m_problem->time(node); }
    /// From the end of a node on, to the end of all as the aim counts it.
    Ticks tail(std::int32_t node) const { return m_tail[at(node)]; }
    std::int32_t place(std::int32_t node) const { return m_place[at(node)]; }
    std::int32_t previous(std::int32_t node) const { return m_previous[at(node)]; }
    std::int32_t next(std::int32_t node) const { return m_next[at(node)]; }
    /// When what a node waits for on other devices is there.
    Ticks inputsReady(std::int32_t node) const;
    /// The longest way from its end through other devices; `noWay` where there is none.
    Ticks outputsTail(std::int32_t node) const;

    static constexpr Ticks noWay = std::numeric_limits<Ticks>::min() / 4;

private:
    void link(const std::vector<std::int32_t>& order, int first, int last);
    bool starts(std::int32_t from);
    void tails(const NodeOrders& orders);
    void measure(const NodeOrders& orders);

    const OrderProblem* m_problem;
    std::vector<Ticks> m_start, m_tail;
    std::vector<std::int32_t> m_place, m_previous, m_next;
    std::vector<std::int32_t> m_sequence; // in an order of evaluation
    std::vector<std::int32_t> m_rank;     // place of a node in it
    std::vector<std::int32_t> m_open;     // inputs that are not evaluated yet
    std::vector<std::int32_t> m_queue;
    std::vector<Ticks> m_offset; // by device: first start where spans are aimed at
    Ticks m_objective = 0;
};

} // namespace pw
