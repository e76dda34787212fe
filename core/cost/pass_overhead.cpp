// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/pass_overhead.h"

#include <cstddef>
#include <vector>

namespace pw {

void addPassOverhead(Costs& costs, Ticks overhead)
{
    if (overhead == 0)
        return;
    // Without a table of its own BW would have the overheads of B and of W.
    if (costs.fused.empty()) {
        for (std::size_t cell = 0; cell < costs.backward.size(); ++cell)
            costs.fused.push_back(costs.backward[cell] + costs.weight[cell]);
    }
    for (std::vector<Ticks>* table :
         {&costs.forward, &costs.backward, &costs.weight, &costs.fused, &costs.recompute}) {
        for (Ticks& time : *table)
            time += overhead;
    }
    for (Ticks& time : costs.pair)
        time += 2 * overhead;
    for (PassTime& one : costs.single)
        one.time += one.pass.kind == PassKind::U ? 0 : overhead;
}

} // namespace pw
