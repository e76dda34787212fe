// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/noise/noise.h"
#include "core/optimise/order_problem.h"

#include <vector>

namespace pw {

/// Runs of a schedule whose order is a hint: a device that waits for its next pass may run a later
/// one that is ready, the first in its order.
///
/// A pass goes ahead only where everything that it passes still fits the memory that the device
/// needs in the given order; so a device can always go on in that order, and nothing gets stuck.
class HintedRuns
{
public:
    /// @param ahead  how many places a pass may go ahead, at least 1
    /// @error as of `NoisyRuns::make`
    static Result<HintedRuns> make(const Schedule& schedule, const Costs& costs, int ahead);

    /// As `NoisyRuns::run`, with other draws; on one thread.
    NoiseSamples run(const NoiseModel& model, int samples, std::uint64_t seed,
                     const std::function<bool()>& stopped = {}) const;

private:
    class OneRun;

    HintedRuns(OrderProblem problem, NodeOrders orders, std::vector<LinkPhase> trace, int ahead)
        : m_problem(std::move(problem))
        , m_orders(std::move(orders))
        , m_trace(std::move(trace))
        , m_ahead(ahead)
    {
    }

    OrderProblem m_problem; ///< limits: what each device holds in the given order
    NodeOrders m_orders;
    std::vector<LinkPhase> m_trace;
    int m_ahead = 1;
};

} // namespace pw
