// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study_costs.h"
#include "core/block/timed_block.h"

#include <string>
#include <vector>

namespace pw::app {

/// A block that is repeated, in the times and bytes of a model, of options or of measurements.
struct BlockTimes : TimedBlock
{
    std::string costsText;
};

/// Times a block with the costs of the options.
/// @pre the block has no collisions
tl::expected<BlockTimes, Failure> blockTimes(const BuildingBlock& block, int microBatches,
                                             const std::vector<DeviceLifespans>& lifespans,
                                             const Arguments& arguments);

} // namespace pw::app
