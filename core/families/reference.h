// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

namespace pw {

/// A time that no order of the same passes, alone or in the same pairs, goes below.
///
/// Of the device with the most of it: the shortest way of a first micro-batch to it, its own work,
/// and, where all its backwards are BW, the shortest way of a last gradient back to the first
/// stage. @source own
///
/// @param result   of `simulate` for the schedule and the costs
/// @complexity     O(passes)
Ticks lowerBound(const Schedule& schedule, const Costs& costs, const SimResult& result);

/// 1F1B with the same work: as many devices, micro-batches and steps, neighbouring stages of the
/// spec joined into one a device, segments into whole micro-batches, F and BW only.
struct Reference
{
    Schedule schedule;
    Costs costs;
    SimResult result;
};

/// @error BadValue  the stages cannot be dealt evenly to the devices; or as of 1F1B
Result<Reference> oneFOneBOf(const PipelineSpec& spec, const Costs& costs);

} // namespace pw
