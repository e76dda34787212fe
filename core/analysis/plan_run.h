// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/account.h"
#include "core/base/result.h"
#include "core/trace/match.h"
#include "core/trace/recover.h"

#include <array>
#include <cstdint>
#include <vector>

namespace pw {

/// A pass that a device ran at another place than planned.
struct MovedEntry
{
    Pass pass;
    DeviceId device{0};
    std::int32_t planned = 0; ///< place among the passes of the device that both have, from 0
    std::int32_t ran = 0;

    friend bool operator==(const MovedEntry&, const MovedEntry&) = default;
};

/// A plan beside a recorded run of it.
struct PlanRun
{
    SimResult planned;             ///< the plan with the costs
    TimelineMatch match;           ///< the plan first, then the iteration shown
    std::vector<MovedEntry> moved; ///< the fewest that have to move to make the run's order the
                                   ///< plan's; of all that both have
    Account account;               ///< of the run
    /// By entry of the run's schedule, what the device lost in front of it, by cause.
    std::vector<std::array<Ticks, lossCauseCount>> lostBefore;
};

/// Compares the iteration that a pipeline shows with a plan.
///
/// @param costs        that the plan is timed with
/// @pre                the pipeline has a schedule
/// @error BadValue     they have another number of devices
/// @error BadSchedule  as of `simulate`
/// @complexity         O(n log n) for n passes
Result<PlanRun> comparePlan(const Schedule& plan, const Costs& costs,
                            const RecoveredPipeline& pipeline);

} // namespace pw
