// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lower/program.h"

namespace pw {

/// Puts the sums of weight gradients over the copies of a stage into the instructions of every
/// rank, as `lower` says.
/// @pre several routes, no reductions yet
void addReductions(Program& program, const Schedule& schedule);

/// Which shard a side of a `Scatter`, `Gather` or `Weights` hands over; what it takes is the one
/// that the other side hands over.
constexpr int shardFrom(const Reduction& reduction, int side)
{
    return reduction.routes[reduction.kind == ReductionKind::Scatter ? 1 - side : side];
}

} // namespace pw
