// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"

#include <string_view>

namespace pw::exec {

/// Has ranks take their orders as hints: one whose next pass waits for another rank runs a later
/// one that is ready, the first in its order, within the memory that the order needs. What is
/// trained is the same: passes that add to the gradients of one stage keep their order.
///
/// @param ahead    how many places a pass may go ahead, at least 1
/// @param backend  its name
/// @error BadValue  a backend, messages, a family or settings that need the order as it is; says
///                  which, and what would make it possible
Result<void> setHint(RunPlan& plan, int ahead, std::string_view backend);

} // namespace pw::exec
