// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_bound.h"
#include "core/optimise/search_clock.h"

#include <functional>
#include <utility>
#include <vector>

namespace pw {

/// One form of the backward: its passes as a problem, what is proven, and the orders to begin with.
struct FormSearch
{
    Schedule base;
    OrderProblem problem;
    OrderBound bound;
    std::vector<std::pair<Ticks, NodeOrders>> starts; ///< best first; those that were found, too
};

/// How a search goes about it.
struct SearchPlan
{
    std::uint64_t seed = 1;
    bool exact = true; ///< the problem says all there is, and small ones are searched to the end
    std::function<void(const NodeOrders&)> offer; ///< gets what may be the best
};

/// Improves the starts of a form until its bound is reached or the clock stops; where every order
/// was looked at, the bound becomes the best objective.
///
/// @return  how many orders were looked at
std::int64_t searchForm(FormSearch& form, const SearchPlan& plan, SearchClock clock);

} // namespace pw
