// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"
#include "core/store/run_store.h"

#include <cstdint>
#include <functional>

namespace pw::test {

/// Time that a pass of an iteration takes in a made-up run, in place of what the costs say.
using PassLength =
    std::function<Ticks(std::int32_t iteration, const OrderEntry& entry, Ticks costs)>;

/// One execution after another, timed by the simulator: passes, messages and memory as an executor
/// would record them, losses that fall, one log. Iterations −warmup … iterations − 1.
///
/// @param length  may be empty: as the costs say
RunBatch recordedRun(const Schedule& schedule, const Costs& costs, int warmup, int iterations,
                     const PassLength& length = {});

/// A run of it as it begins: title, family, project text, environment.
NewRun newRun(const Schedule& schedule, const Costs& costs, const char* title, const char* family);

/// Figures over the counted iterations of such a run.
RunFigures figuresOf(const Schedule& schedule, const Costs& costs, const RunBatch& run);

} // namespace pw::test
