// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/schedule.h"

#include <span>

namespace pw {

/// The same order with an R directly before the B or BW of every cell of the stages.
///
/// Directly before its backward in the device's order, an R still starts as soon as the device is
/// free: it runs while the device waits for the gradient. Before an overlapped pair it stands
/// alone. Everything else keeps its place.
///
/// @param stages  stages that are recomputed, in any order; empty: all that are not yet
/// @error BadValue     a stage that is not there; names it and the last stage
/// @error BadSchedule  a stage of the list is recomputed already, or all are
/// @complexity         O(passes)
Result<Schedule> withRecompute(const Schedule& schedule, std::span<const StageId> stages = {});

/// The same order without any R.
///
/// @error BadSchedule  there is none
/// @complexity         O(passes)
Result<Schedule> withoutRecompute(const Schedule& schedule);

} // namespace pw
