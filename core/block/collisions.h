// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

/// Two passes of a block that want the same device at the same time when the block is repeated.
struct Collision
{
    DeviceId device{0};
    BlockPass first; ///< the one that is already running at the residue
    /// The one that starts there; equal to `first` for a pass longer than the interval.
    BlockPass second;
    Ticks residue = 0; ///< time in the interval, 0 … interval−1, at which the overlap begins

    /// "device 2: F of micro-batch 0 on stage 2 at 2 and BW of micro-batch 0 on stage 2 at 5 meet
    /// at 2 of interval 3".
    Sentence text(const BuildingBlock& block) const;

    friend bool operator==(const Collision&, const Collision&) = default;
};

/// The most collisions that are listed: far more than a person reads.
constexpr std::size_t mostCollisions = 10'000;

/// Every pair of passes on one device whose occupied times overlap modulo the interval, by device,
/// then by residue.
///
/// A pair that overlaps in two places of the interval is listed once. A pass longer than the
/// interval collides with itself. No collision means that the block can be repeated for ever. A
/// block of n passes can have n² collisions; the search ends at `mostCollisions`.
///
/// @pre         stages and routes of the passes exist, durations and the interval are at least 1
/// @complexity  O(n log n + collisions) for n passes
/// @source      arXiv:2405.15362
std::vector<Collision> collisions(const BuildingBlock& block);

/// The least interval that has room for the work of every device and at which nothing collides;
/// nothing where two passes meet in the block itself. The block's own interval is not read.
///
/// @pre         as `collisions`
/// @complexity  O(n² · tries) for n passes; tries are few, since each leaves out a whole range
std::optional<Ticks> leastInterval(const BuildingBlock& block);

} // namespace pw
