// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

#include <span>

namespace pw {

/// A family's order where stages have replicas of their own: that of PipeDream for one that updates
/// after every micro-batch (`withStageReplicas`), else the family's own for a line of devices
/// (`onStageReplicas`).
///
/// @param options   of one pipeline: as many devices as stages
/// @param costs     of it, for families that look at them
/// @param replicas  of each stage
/// @error           as of `specOf`, the family's `build`, `checkStageReplicas`, `stageReplicaCosts`
Result<Schedule> buildOnStageReplicas(const Family& family, const FamilyOptions& options,
                                      const Costs& costs, std::span<const int> replicas);

} // namespace pw
