// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"

namespace pw {

/// Gives an order of its own another shape. Entries stay where they are and keep their meaning:
/// with another number of micro-batches a step, those of later steps are counted on.
///
/// New devices begin empty, new micro-batches, stages and segments without passes. The costs
/// follow, see `fitCosts`.
///
/// @param project  without family
/// @error BadValue, TooLarge  of the shape or the costs, or entries that would have no place any
///                 more, with the first of them; the project is as before
Result<void> reshape(Project& project, PipelineSpec shape);

/// A placement of the same kind on another number of devices: linear, reversed, looped, V or
/// zig-zag with as many chunks.
/// @error BadValue  it is a map of its own, which nobody can continue
Result<Placement> placementOn(const Placement& placement, int before, int devices);

} // namespace pw
