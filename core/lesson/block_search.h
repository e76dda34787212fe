// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace pw {

struct BlockAnswer
{
    bool finished = false; ///< the search came to its end: "none" is then a proof
    std::optional<BuildingBlock> block;
    std::int64_t nodes = 0;
};

/// What is looked for.
struct BlockWanted
{
    BuildingBlock block; ///< its passes say which there are and how long they take
    Ticks interval = 0;
    Share cap = 0; ///< alive at most on any device
    /// Asked of a block that repeats without collision under the cap; none: it is good.
    std::function<bool(const BuildingBlock&)> accept;
};

/// Whether the passes of a block can be placed so that it repeats at an interval without collision
/// and keeps no more than a cap on any device.
///
/// Goes through all places of each pass in the interval, along the chain of the micro-batch; a pass
/// that waits a whole interval longer has the same place and only keeps more. Ends a branch where
/// what is kept is above the cap even if all the rest hurries.
///
/// @param wanted     a block of one micro-batch and route, one segment
/// @param mostNodes  places that are tried; one that `accept` is asked of counts as many
/// @error BadValue  another kind of block, or an interval above 64
Result<BlockAnswer> findBlock(BlockWanted wanted, std::int64_t mostNodes);

} // namespace pw
