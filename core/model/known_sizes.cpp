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
           any(costs.buffers) || any(costs.workspace) ||
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

Bytes StandingMemory::room(Bytes cap) const
{
    const Bytes left = cap - with(0) + fragmentsOf(0);
    if (fragments <= 0)
        return left;
    const double share = fragments * static_cast<double>(workspace);
    auto most = static_cast<Bytes>((static_cast<double>(left) - share) / (1 + fragments));
    // The estimate is off by a rounding at most.
    while (with(most) > cap)
        --most;
    while (with(most + 1) <= cap)
        ++most;
    return most;
}

StandingMemory standingMemory(const Costs& costs, std::span<const HostedStage> hosted)
{
    StandingMemory standing;
    standing.fragments = costs.fragments;
    const auto of = [](const std::vector<Bytes>& table, StageId stage) {
        return table.empty() ? 0 : table[stage.index()];
    };
    for (const HostedStage& one : hosted) {
        standing.weights += of(costs.weights, one.stage);
        standing.gradients += of(costs.gradients, one.stage);
        standing.optimizer += of(costs.optimizer, one.stage);
        standing.buffers = std::max(standing.buffers, of(costs.buffers, one.stage));
        standing.workspace = std::max(standing.workspace, of(costs.workspace, one.stage));
    }
    return standing;
}

std::vector<StandingMemory> standingMemory(const Costs& costs, const PipelineSpec& spec)
{
    std::vector<StandingMemory> all;
    for (const std::vector<HostedStage>& hosted : chunksOfDevices(spec))
        all.push_back(standingMemory(costs, hosted));
    return all;
}

} // namespace pw
