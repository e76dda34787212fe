// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lower/program.h"

namespace pw {

/// Puts the sums of weight gradients over the copies of a stage into the instructions of every
/// rank, as `lower` says.
/// @pre several routes, no reductions yet
void addReductions(Program& program, const Schedule& schedule);

} // namespace pw
