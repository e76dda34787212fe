// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_bound.h"

#include <utility>
#include <vector>

namespace pw {

/// The beginning of an order, grown node by node in time; what the exact and the beam search share.
///
/// An order is *active* where nothing could start sooner without making something else later.
/// Growing offers, of the device with the first possible end, everything that can start before that
/// end; a forward that costs memory may also be left for later, until its device has run something
/// else. Some best order is always among the offers.
///
/// @source Giffler & Thompson 1960; memory: own
class ActiveOrder
{
public:
    struct Candidate
    {
        std::int32_t node = -1;
        Ticks start = 0, end = 0;
        bool leaves = false; ///< not to be placed now: its class waits for another of the device
    };
    /// What a placed candidate has changed.
    struct Undo
    {
        Ticks free = 0;
        HeldActivation held;
        std::vector<int> blocked;
        std::vector<std::pair<std::int32_t, Ticks>> ready;
    };

    /// @param problem, bound  outlive this; the problem is symmetric
    ActiveOrder(const OrderProblem& problem, const OrderBound& bound);

    std::int32_t placed() const { return m_placed; }
    bool whole() const { return m_placed == m_problem->nodes(); }
    const NodeOrders& orders() const { return m_orders; }
    /// Of a whole order.
    Ticks objective() const;

    /// What may come next; empty where the beginning cannot be ended.
    void offers(std::vector<Candidate>& out) const;
    Undo place(const Candidate& candidate);
    void takeBack(const Candidate& candidate, const Undo& undo);

    /// No end of this beginning is better: ways and one-machine bounds of what is left. Stops at
    /// `enough`.
    Ticks lowerBound(Ticks enough);
    /// Mean over the devices of their own bounds, after `lowerBound` that did not stop.
    double meanBound() const { return m_meanBound; }

    /// What has been done, the same for two beginnings that differ in their times only.
    void appendKey(std::vector<std::int16_t>& key) const;
    /// All times that what is left depends on.
    void appendTimes(std::vector<Ticks>& times) const;

private:
    bool fits(std::int32_t node) const;

    const OrderProblem* m_problem;
    const OrderBound* m_bound;
    std::vector<std::int32_t> m_next;
    std::vector<char> m_blocked; // by class
    std::vector<std::int32_t> m_missing;
    std::vector<Ticks> m_ready, m_head;
    std::vector<char> m_done;
    std::vector<Ticks> m_free;
    std::vector<HeldActivation> m_held;
    std::vector<char> m_loose; // by device: memory never binds
    NodeOrders m_orders;
    std::vector<std::int32_t> m_sequence; // inputs before what waits for them
    std::vector<std::vector<MachineJob>> m_jobs;
    std::int32_t m_placed = 0;
    double m_meanBound = 0;
};

} // namespace pw
