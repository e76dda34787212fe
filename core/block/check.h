// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/building_block.h"

namespace pw {

/// Checks that a block is whole: every stage, micro-batch and segment has one F and one BW, or one
/// B and one W; every pass starts after the passes it waits for have ended; and the interval has
/// room for the work of every device.
///
/// A block that passes may still collide with its repetitions; `collisions` finds that.
///
/// @error BadValue     a count, offset, duration or interval outside its range, or an interval
///                     shorter than the work of a device
/// @error BadSchedule  a pass is missing, doubled, on an unknown stage, or starts before one that
///                     it waits for ends
/// @complexity         O(n log n) for n passes
Result<void> check(const BuildingBlock& block);

} // namespace pw
