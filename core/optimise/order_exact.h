// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_bound.h"
#include "core/optimise/search_clock.h"

#include <optional>

namespace pw {

/// What an exact search came to.
struct ExactOutcome
{
    /// Better than what was known; empty: nothing better was found.
    NodeOrders orders;
    Ticks objective = 0;   ///< of `orders`
    bool complete = false; ///< there is nothing better than the best that is known now
    std::int64_t states = 0;
};

/// Whether the search below can prove anything for a problem.
bool exactPossible(const OrderProblem& problem);

/// Looks for the best order by branch and bound over active schedules: what can start before the
/// first possible end goes next, a forward that costs memory may also be left for later, and of two
/// states that have done the same the one that is later everywhere is dropped.
///
/// @param known  an objective that is reached already
/// @pre exactPossible(problem)
/// @source branching: Giffler & Thompson 1960; bound and dominance under memory: own
ExactOutcome exactOrder(const OrderProblem& problem, const OrderBound& bound, Ticks known,
                        SearchClock& clock);

/// An order from a beam of beginnings, grown side by side: of each length the `width` ones with the
/// best bounds go on.
///
/// @param meanShare  how much the mean of the devices' bounds counts beside the largest
/// @return           an order that is better than `known`, or nothing
/// @pre problem.symmetric()
std::optional<NodeOrders> beamOrder(const OrderProblem& problem, const OrderBound& bound,
                                    Ticks known, int width, double meanShare, SearchClock& clock);

} // namespace pw
