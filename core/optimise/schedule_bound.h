// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/optimise.h"
#include "core/optimise/order_bound.h"
#include "core/sim/proven_bound.h"

#include <memory>
#include <mutex>
#include <vector>

namespace pw {

/// What a search has proven: no order of the work of a schedule within the caps of these costs is
/// shorter.
struct SearchedBound
{
    std::shared_ptr<const Schedule> given;
    Costs costs; ///< as they were searched with, caps included
    Ticks time = 0;
};

/// What searches have proven so far, for whoever asks for the bound of such a schedule again. All
/// threads may use it.
class SearchedBounds
{
public:
    /// Keeps the latest ones. @pre of the makespan, with any form of the backward
    void add(SearchedBound bound);
    /// The highest that holds for a schedule within the caps of costs; 0: none is known.
    Ticks of(const Schedule& schedule, const Costs& capped) const;

private:
    mutable std::mutex m_mutex;
    std::vector<SearchedBound> m_bounds;
};

/// The makespan that no order of the work of a schedule goes below: the same cells on the same
/// devices, recomputed or in pairs as they are, each other backward as one BW or as B and W; within
/// the caps of the costs, or where nothing is capped, in as much memory as the schedule's fullest
/// device holds. What `optimiseOrder` begins with under the same caps.
///
/// @param result  of `simulate` for the schedule and the costs
/// @param known   what searches have proven; null: nothing
/// @complexity    as of `orderBound`
ProvenBound provenBound(const Schedule& schedule, const Costs& costs, const SimResult& result,
                        const SearchedBounds* known = nullptr);

/// The forms of the backward that a better order may have.
/// @error BadValue  a form that the order cannot have
Result<std::vector<BackwardForm>> formsOf(const Schedule& given, const Costs& costs,
                                          BackwardChoice choice, bool hosted);

/// What holds for every order of a problem under costs whose links may change their pace.
/// @param base  that the problem was made from
OrderBound orderBound(const OrderProblem& problem, const Schedule& base, const Costs& costs);

} // namespace pw
