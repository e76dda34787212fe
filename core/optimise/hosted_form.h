// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/form_search.h"
#include "core/optimise/hosted_search.h"

#include <functional>

namespace pw {

/// What a search with copies to the host is asked for.
struct HostedPlan
{
    SearchPlan search; ///< its offers are orders, looked at with whatever goes
    bool choose = false;
    std::vector<Pass> all;       ///< that may go, where a search chooses
    HostedSearch::Offer offer;   ///< gets orders with what goes in them
    std::function<Ticks()> best; ///< objective of the best so far
    /// The best so far itself, where it is one of the form; without orders else.
    std::function<HostedOrder()> bestOrder;
};

/// Improves the starts of a form whose activations go to the host's memory: first as if copies took
/// no time, which is what the bound is of, then as if nothing went and devices had more room, then
/// with the copies. Few orders are all looked at.
///
/// @param form   its problem is of these costs, with all that may go
/// @param costs  with what goes, or where a search chooses, what goes at first
/// @return       how many orders were looked at
std::int64_t searchHostedForm(FormSearch& form, const Costs& costs, const HostedPlan& plan,
                              SearchClock clock);

} // namespace pw
