// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/building_block.h"

#include <optional>

namespace pw {

/// Durations of the passes of one stage. The default is the unit of the literature, in which F, B
/// and W take the same.
struct PassDurations
{
    Ticks forward = 1;
    Ticks backward = 1;
    Ticks weight = 1;
};

/// Adds the passes of one cell: F, and B with W, or BW (duration B + W) where `weight` is nothing.
///
/// @param cell  stage, micro-batch in the block, segment and route; its kind is not read
void addCell(BuildingBlock& block, Pass cell, Ticks forward, Ticks backward,
             std::optional<Ticks> weight, const PassDurations& durations = {});

/// Start offsets of a stage's passes in a block of one micro-batch. Without `weight` the backward
/// is a BW.
struct StageOffsets
{
    Ticks forward = 0;
    Ticks backward = 0;
    std::optional<Ticks> weight;
};

/// A block of one micro-batch on one route.
///
/// @param offsets  by stage of the placement
BuildingBlock drawBlock(int devices, Placement placement, Ticks interval,
                        const std::vector<StageOffsets>& offsets,
                        const PassDurations& durations = {});

/// The first start from `earliest` on at which a pass of this duration meets no pass of the device
/// in any repetition; nothing where the interval has no free stretch that long.
std::optional<Ticks> firstFreeStart(const BuildingBlock& block, DeviceId device, Ticks earliest,
                                    Ticks duration);

/// Adds a W for every B that has none: in the order in which the backwards end, each at the first
/// time from then on that is free on its device in every repetition.
///
/// @error BadValue  the device has no free stretch that long in an interval; names the device and
/// the pass
/// @source          arXiv:2405.15362
Result<void> fillWeights(BuildingBlock& block, Ticks duration = 1);

} // namespace pw
