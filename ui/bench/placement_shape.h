// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"

namespace pw::ui {

/// The usual ways to place stages; any other placement is its own.
enum class PlacementShape
{
    Linear,
    V,
    Looped,
    Zigzag,
    Own
};

PlacementShape shapeOf(const BuildingBlock& block);

/// Stages of a device; of unequal ones the most.
int chunksOf(const BuildingBlock& block);

/// @param shape   not `Own`
/// @param chunks  of a device, of looped and zigzag
Placement placementOf(PlacementShape shape, int devices, int chunks);

} // namespace pw::ui
