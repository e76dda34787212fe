// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"

#include <cstdint>
#include <optional>

namespace pw {

struct BlockAnswer
{
    bool finished = false; ///< the search came to its end: "none" is then a proof
    std::optional<BuildingBlock> block;
    std::int64_t nodes = 0;
};

/// Whether the passes of a block can be placed so that it repeats at an interval without collision
/// and keeps no more than a cap on any device.
///
/// Goes through all places of each pass in the interval, along the chain of the micro-batch; a pass
/// that waits a whole interval longer has the same place and only keeps more. Ends a branch where
/// the mean of what is kept is above the cap.
///
/// @param block  its passes say which there are and how long they take; one micro-batch and route,
///               one segment
/// @error BadValue  another kind of block, or an interval above 64
Result<BlockAnswer> findBlock(const BuildingBlock& block, Ticks interval, Share cap,
                              std::int64_t mostNodes);

} // namespace pw
