// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"

#include <string_view>

namespace pw {

/// The block of a family with its default parameters. @pre the family exists, has a block and takes
/// the devices
BuildingBlock blockOf(std::string_view family, int devices);

/// A block that `check` takes, drawn at random: 1–4 devices, any placement, 1–3 micro-batches, 1–2
/// segments, unequal durations, here and there a recomputation. Many collide.
///
/// @param seed      the same seed gives the same block
/// @param backward  B: every cell has a B and no W, which `check` refuses until W is there; else a
/// mixture
BuildingBlock randomBlock(unsigned seed, PassKind backward = PassKind::BW);

} // namespace pw
