// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_problem.h"
#include "core/optimise/search_clock.h"
#include "core/sim/simulator.h"

#include <string>
#include <vector>

namespace pw {

/// The order of a known family for a shape, as a search begins with it.
struct FamilyStart
{
    std::string name; ///< as typed, with the parameters that are not the default: "kfkb --group 4"
    Schedule schedule;
    Ticks objective = 0;
    bool fits = false; ///< stays within the memory caps of the costs
};

/// The makespan, or the longest span, of a simulation.
Ticks objectiveOf(const SimResult& result, OrderAim aim);

/// Every family, with every usual choice of its parameters, that has exactly the shape of a spec:
/// placement, micro-batches, segments, steps. Sorted by what is aimed at, those that fit first; of
/// equal orders there is the first.
///
/// Families that search get a part of the clock's time; what is not ready then is left out.
std::vector<FamilyStart> familyStarts(const PipelineSpec& spec, const Costs& costs, OrderAim aim,
                                      double seconds, SearchClock& clock);

} // namespace pw
