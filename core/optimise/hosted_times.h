// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_problem.h"
#include "core/sim/host_copies.h"

#include <vector>

namespace pw {

/// What an order takes and holds with activations that go to the host's memory and come back, as
/// the simulator has it: a pass waits for its copy, and what is on the device depends on when
/// copies end and begin. Messages are those of the problem.
///
/// Keeps its buffers.
class HostedTimes
{
public:
    /// @param problem  of `base`; both and the costs outlive this
    HostedTimes(const OrderProblem& problem, const Schedule& base, const Costs& costs);

    /// Which activations go, from the next evaluation on, as `offloadedCells` has them.
    void setCells(std::vector<Pass> cells) { m_costs.offload.cells = std::move(cells); }
    const std::vector<Pass>& cells() const { return m_costs.offload.cells; }

    /// @return false where devices wait in a ring
    bool evaluate(const NodeOrders& orders);

    Ticks objective() const { return m_objective; }
    /// What devices hold above their limits, as a part of these, summed; 0: the order fits.
    double excess() const { return m_excess; }
    /// The same over time: the part of the objective, summed over devices, for which a device holds
    /// its limit once too often. Smaller where an order comes nearer to fitting.
    double overload() const { return m_overload; }
    /// The node that ends a longest way, and before a node the one that it waited for: of its own
    /// device, of another, or the one whose activation was not back before; −1: none.
    std::int32_t last() const { return m_last; }
    std::int32_t cause(std::int32_t node) const { return m_cause[at(node)]; }
    /// The cells that a pass waited for, each with the time.
    const std::vector<HostCopy>& copies() const { return m_result.copies; }

private:
    bool run();
    void measure(const NodeOrders& orders);
    void followCopies();
    double overloadOf(DeviceId device);
    Bytes peakWithoutCopies(const std::vector<std::int32_t>& order, Share& share) const;

    const OrderProblem* m_problem;
    Costs m_costs;
    std::vector<ActivationChange> m_adds, m_gives; // by node
    HostClock m_clock;
    bool m_copies = false;
    SimResult m_result; // starts and ends by entry: the place of a node in all orders
    std::vector<std::int32_t> m_entry, m_nodeAt, m_previous, m_next, m_cause, m_open, m_queue;
    Ticks m_objective = 0;
    double m_excess = 0;
    double m_overload = 0;
    std::vector<HeldChange> m_levels; // of one device
    std::int32_t m_last = -1;
};

} // namespace pw
