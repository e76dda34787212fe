// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/par.h"

namespace pw {

/// `provePar` of a level of blocks, over all places of its passes.
///
/// The demonstration, where it meets the goals, is where the search begins; a makespan of the
/// repeated block that no order can be below is proven without one.
Result<ParProof> proveBlock(const LessonLevel& level, const LessonPar& wanted,
                            std::int64_t mostNodes);

} // namespace pw
