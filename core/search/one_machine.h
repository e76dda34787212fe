// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <limits>
#include <vector>

namespace pw {

/// One job of a one-machine problem.
struct MachineJob
{
    Ticks head = 0, time = 0, tail = 0;
};

/// The least end of a machine with preemption: jobs from their heads on, the longest tail first.
/// Sorts `jobs` by head. 0 where that is more.
///
/// @param from      the machine is there from then on; as early as any job, unless it is said
/// @complexity      O(jobs log jobs)
/// @source          Carlier 1982
Ticks onePreemptiveMachine(std::vector<MachineJob>& jobs,
                           Ticks from = std::numeric_limits<Ticks>::min());

} // namespace pw
