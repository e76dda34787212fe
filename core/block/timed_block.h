// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/block/lifespan.h"
#include "core/sim/simulator.h"

#include <vector>

namespace pw {

/// A lifespan in time and bytes: that of the middle repetition.
struct TimedLifespan
{
    Ticks length = 0; ///< from the start of its F to the end of what frees it
    Bytes bytes = 0;  ///< of one micro-batch
};

/// A block that is repeated, in the times and bytes of a model, of fields or of measurements.
struct TimedBlock
{
    Ticks interval = 0; ///< work of the busiest device in one repetition: it cannot come sooner
    SimResult result;   ///< of the order that repeating makes, as soon as it can
    std::vector<std::vector<TimedLifespan>> cells; ///< by device, parallel to its lifespans
    bool sized = false;                            ///< bytes are known
};

/// Times a block.
/// @param lifespans  as `lifespans` finds them
/// @param costs      for `specOf(block, microBatches)`
/// @pre the block has no collisions
Result<TimedBlock> timedBlock(const BuildingBlock& block, int microBatches,
                              const std::vector<DeviceLifespans>& lifespans, const Costs& costs);

} // namespace pw
