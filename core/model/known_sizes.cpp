// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/known_sizes.h"

#include <algorithm>

namespace pw {

bool hasSizes(const Costs& costs)
{
    const auto any = [](const std::vector<Bytes>& table) {
        return std::any_of(table.begin(), table.end(), [](Bytes bytes) { return bytes > 0; });
    };
    return any(costs.weights) || any(costs.gradients) || any(costs.optimizer) ||
           std::any_of(costs.activation.begin(), costs.activation.end(),
                       [](const ActivationCost& cost) { return cost.activation > 0; });
}

bool isCapped(const Costs& costs)
{
    const bool any = std::any_of(costs.memoryCap.begin(), costs.memoryCap.end(),
                                 [](Bytes cap) { return cap > 0; });
    return costs.shareCap > 0 || (any && hasSizes(costs));
}

Bytes standingBytes(const Costs& costs, StageId stage)
{
    Bytes sum = 0;
    for (const auto* table : {&costs.weights, &costs.gradients, &costs.optimizer})
        sum += table->empty() ? 0 : (*table)[static_cast<std::size_t>(stage)];
    return sum;
}

} // namespace pw
