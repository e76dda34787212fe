// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/bench_costs.h"

#include "core/cost/origin_costs.h"

#include <utility>

namespace pw::ui {

Result<Costs> costsFor(const BenchCosts& costs, const PipelineSpec& spec)
{
    if (const auto* origin = std::get_if<CostOrigin>(&costs.from))
        return costsOf(*origin, spec);
    return expand(std::get<UniformCosts>(costs.from), spec);
}

std::optional<SimResult> runOf(const Arrangement& arrangement, const BenchCosts& costs)
{
    const Result<Costs> expanded = costsFor(costs, arrangement.spec);
    const Result<Schedule> schedule = scheduleOf(arrangement);
    if (!expanded || !schedule)
        return std::nullopt;
    Result<SimResult> result = simulate(*schedule, *expanded);
    return result ? std::optional<SimResult>(*std::move(result)) : std::nullopt;
}

} // namespace pw::ui
