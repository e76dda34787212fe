// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

namespace pw {

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
