// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study_costs.h"
#include "core/block/lifespan.h"
#include "core/sim/simulator.h"

#include <string>
#include <vector>

namespace pw::app {

/// A lifespan in time and bytes: that of the middle repetition.
struct TimedLifespan
{
    Ticks length = 0; ///< from the start of its F to the end of what frees it
    Bytes bytes = 0;  ///< of one micro-batch
};

/// A block that is repeated, in the times and bytes of a model, of options or of measurements.
struct BlockTimes
{
    std::string costsText;
    Ticks interval = 0; ///< work of the busiest device in one repetition: it cannot come sooner
    SimResult result;   ///< of the order that repeating makes, as soon as it can
    std::vector<std::vector<TimedLifespan>> cells; ///< by device, parallel to its lifespans
    bool sized = false;                            ///< bytes are known
};

/// Times a block with the costs of the options.
/// @pre the block has no collisions
tl::expected<BlockTimes, Failure> blockTimes(const BuildingBlock& block, int microBatches,
                                             const std::vector<DeviceLifespans>& lifespans,
                                             const Arguments& arguments);

} // namespace pw::app
