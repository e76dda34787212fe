// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "core/store/run_store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pw {

/// One iteration of a run over all its ranks.
struct WholeIteration
{
    std::int32_t iteration = 0;
    Ticks first = 0; ///< start
    Ticks last = 0;  ///< end
    std::int64_t passes = 0;

    Ticks makespan() const { return last - first; }

    friend bool operator==(const WholeIteration&, const WholeIteration&) = default;
};

/// Iterations over all ranks, by number.
std::vector<WholeIteration> wholeIterations(std::span<const IterationSpan> spans);

/// The iteration to show where nobody says which: of the counted ones that of the median makespan,
/// of warm-up where there is nothing else; none without a pass.
std::optional<std::int32_t> medianIteration(std::span<const WholeIteration> iterations);

/// One iteration of a run with the schedule and the costs that it was run by. Where the order was a
/// hint, the schedule is the order that came, and the prediction is of that.
struct StoredIteration
{
    RunDetails details;
    std::vector<WholeIteration> iterations; ///< that the run has
    std::int32_t iteration = 0;
    Ticks base = 0; ///< when its first pass of the order began, on the clock of the run
    Schedule schedule;
    Costs costs;
    SimResult predicted;
    std::vector<RecordedPass> passes;
    std::vector<std::uint8_t> trust;  ///< parallel; how their times are known, as `Trust` counts
    std::vector<MemorySample> memory; ///< empty where it was not asked for
    SimResult measured;
};

/// Loads an iteration of a run.
///
/// @param iteration  none: the median one
/// @param memory     whether its memory samples are wanted; without them `measured` has no peaks in
///                   bytes
/// @error            as of `RunStore`; and BadValue where the run has no pass or no such iteration,
///                   BadSchedule and others where its project has no schedule that runs
Result<StoredIteration> loadIteration(RunStore& store, RunNumber run,
                                      std::optional<std::int32_t> iteration = {},
                                      bool memory = true);

} // namespace pw
