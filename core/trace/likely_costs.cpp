// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/likely_costs.h"

#include "core/trace/waits.h"

#include <algorithm>

namespace pw {

namespace {

/// Times that differ by less than this part are nearly the same.
constexpr Ticks near = 20;

/// What a message usually takes, over all links.
Ticks usualMessage(const RecoveredPipeline& pipeline)
{
    std::vector<Ticks> all;
    for (const Wait& wait : waitsOf(*pipeline.schedule, pipeline.measured, {}))
        if (!wait.known)
            all.push_back(wait.there - wait.produced);
    std::sort(all.begin(), all.end());
    return all.empty() ? 0 : std::clamp<Ticks>(all[(all.size() - 1) / 2], 0, longestPass / 4);
}

/// Makes times that are nearly the same their lower median.
void even(std::vector<Ticks*> times)
{
    times.erase(
        std::remove_if(times.begin(), times.end(), [](const Ticks* one) { return *one == 0; }),
        times.end());
    std::sort(times.begin(), times.end(), [](const Ticks* a, const Ticks* b) { return *a < *b; });
    for (std::size_t begin = 0, end = 0; begin < times.size(); begin = end) {
        const Ticks most = *times[begin] + *times[begin] / near;
        while (end < times.size() && *times[end] <= most)
            ++end;
        const Ticks median = *times[(begin + end - 1) / 2];
        for (std::size_t i = begin; i < end; ++i)
            *times[i] = median;
    }
}

std::vector<std::vector<Ticks*>> tablesOf(Costs& costs)
{
    std::vector<std::vector<Ticks*>> tables;
    for (std::vector<Ticks>* table : {&costs.forward, &costs.backward, &costs.weight, &costs.fused,
                                      &costs.recompute, &costs.pair}) {
        tables.emplace_back();
        for (Ticks& time : *table)
            tables.back().push_back(&time);
    }
    return tables;
}

Costs evenByKind(Costs costs)
{
    for (const std::vector<Ticks*>& table : tablesOf(costs))
        even(table);
    return costs;
}

/// Even over all kinds, in whole parts of the least time, so many to one.
Costs inParts(Costs costs, Ticks parts)
{
    std::vector<Ticks*> all;
    for (const std::vector<Ticks*>& table : tablesOf(costs))
        all.insert(all.end(), table.begin(), table.end());
    even(all);
    Ticks least = 0;
    for (const Ticks* time : all)
        least = *time > 0 && (least == 0 || *time < least) ? *time : least;
    const Ticks part = std::max<Ticks>(1, least / parts);
    all.push_back(&costs.link.latency);
    for (Ticks* time : all)
        *time = (*time + part / 2) / part * part;
    return costs;
}

} // namespace

std::vector<Costs> likelyCosts(const RecoveredPipeline& pipeline)
{
    Costs medians = medianCosts(pipeline);
    medians.link.latency = usualMessage(pipeline);
    std::vector<Costs> likely = {medians, expand(UniformCosts{}, pipeline.schedule->spec()),
                                 evenByKind(medians)};
    for (const Ticks parts : {2, 4, 5, 10, 20, 40})
        likely.push_back(inParts(medians, parts));
    return likely;
}

} // namespace pw
