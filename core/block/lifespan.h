// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/block/retention.h"
#include "core/model/building_block.h"

#include <vector>

namespace pw {

/// How long a block keeps the activation of one stage, micro-batch and segment.
struct Lifespan
{
    Pass forward;    ///< names the cell
    Ticks start = 0; ///< of the F
    Ticks end = 0;   ///< of the W or BW that frees it
    Share share = 0; ///< of a micro-batch on the device's share of the model

    Ticks length() const { return end - start; }
    /// Intervals that the lifespan reaches into: as many such activations are alive at once.
    Ticks intervals(Ticks interval) const { return (length() + interval - 1) / interval; }

    friend bool operator==(const Lifespan&, const Lifespan&) = default;
};

/// What a device keeps when the block is repeated for ever.
struct DeviceLifespans
{
    std::vector<Lifespan> cells; ///< by route, stage, micro-batch and segment
    Share bound = 0; ///< Σ ⌈length ⁄ interval⌉ · share: the peak is never above it
    Share peak = 0;  ///< the peak exactly

    friend bool operator==(const DeviceLifespans&, const DeviceLifespans&) = default;
};

/// Lifespans and peaks of every device, by device. @source arXiv:2405.15362
///
/// @pre         `check(block)` holds; collisions are allowed
/// @complexity  O(n log n) for n passes
std::vector<DeviceLifespans> lifespans(const BuildingBlock& block, const Retention& keep = {});

/// Peak activation of every device, by device, when the block is repeated for ever.
std::vector<Share> predictedPeak(const BuildingBlock& block, const Retention& keep = {});

/// The same for a number of micro-batches, which may be too few to reach that peak.
///
/// @param microBatches  at least 1; the last block may be part of a group
/// @complexity          O(r log r), r the passes of the blocks that are alive at once, at most all
std::vector<Share> predictedPeak(const BuildingBlock& block, int microBatches,
                                 const Retention& keep = {});

} // namespace pw
