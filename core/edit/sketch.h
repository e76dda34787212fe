// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/building_block.h"
#include "core/model/draft.h"
#include "core/sim/draft_times.h"

#include <span>
#include <string>
#include <vector>

namespace pw {

// Changes to a building block that a person draws. The block may be unfinished: passes that are
// missing hold nothing up. A function gives the block as it would be, or says why not; passes are
// named by kind, stage, micro-batch in the block, segment and route. Whether passes collide when
// the block is repeated is not asked here.

/// What becomes of passes that a change would make start too early.
enum class InTheWay : std::uint8_t
{
    Refuse,
    Push ///< they move away, as far as needed, and push others in turn
};

/// Why the block cannot be drawn on: passes that its stages, micro-batches, segments or routes do
/// not have, or times outside their range. The other functions need a block without that.
Result<void> checkPasses(const BuildingBlock& block);

/// The first pass, by start, that starts before one that it waits for has ended, as a sentence;
/// empty: every pass has a place that runs.
Sentence brokenPlace(const BuildingBlock& block);

/// Passes that a whole block has and this one does not: F, and BW or B with W as the other cells
/// have it; by micro-batch, then in the order in which a micro-batch runs.
std::vector<Pass> missingPasses(const BuildingBlock& block);

/// Passes at other offsets.
/// @param by        later by so much, or earlier where below 0
/// @error BadValue  an offset outside its range; a pass that is not there
/// @error BadSchedule  which pass would start before which other ends
Result<BuildingBlock> movePasses(const BuildingBlock& block, std::span<const Pass> passes, Ticks by,
                                 InTheWay others = InTheWay::Refuse);

/// Passes with another duration; what waits for them is pushed later as far as needed.
/// @error BadValue  a duration outside 1 … `maxBlockTicks`; a pass that is not there
Result<BuildingBlock> resizePasses(const BuildingBlock& block, std::span<const Pass> passes,
                                   Ticks duration);

/// Each BW among the passes becomes a B of half its time, rounded down, with a W right behind.
/// @error BadValue  there is no BW among them
Result<BuildingBlock> splitBackwards(const BuildingBlock& block, std::span<const Pass> passes);

/// Each B among the passes becomes a BW that takes the time of B and W, in the place of the B; what
/// waits for it is pushed. A W stands for its B.
/// @error BadValue  there is no B or W among them
Result<BuildingBlock> joinBackwards(const BuildingBlock& block, std::span<const Pass> passes);

/// One pass more.
/// @error BadValue, BadSchedule  it is there already, is a backward beside the other kind, or has
/// no place there
Result<BuildingBlock> addPass(const BuildingBlock& block, const BlockPass& placed);

/// Without passes. A B goes with its W.
Result<BuildingBlock> removePasses(const BuildingBlock& block, std::span<const Pass> passes);

/// With every missing pass, each one unit long at the first place from what it waits for on that is
/// free in every repetition.
/// @error BadValue  names the device that has no such place in the interval
Result<BuildingBlock> completeBlock(const BuildingBlock& block);

/// A block of one micro-batch on one route, one unit a pass, each as early as possible without a
/// collision; backwards split. The interval is what a device works for.
/// @error BadValue, TooLarge  as `check(PipelineSpec)`
Result<BuildingBlock> plainBlock(int devices, const Placement& placement);

/// The passes of one micro-batch of a draft as a block: offsets from its first start, in the
/// largest unit that all its times are multiples of, at the least interval without a collision.
/// Passes of an overlapped pair keep its start or its end.
///
/// @error BadValue  the micro-batch has no pass in the draft
Result<BuildingBlock> blockOfMicroBatch(const Draft& draft, const DraftTimes& times,
                                        const Costs& costs, int microBatch);

} // namespace pw
