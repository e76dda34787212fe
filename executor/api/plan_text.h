// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/run_plan.h"

#include <string>
#include <string_view>

namespace pw::exec {

/// A plan as text, for the other processes of a run: JSON with the schedule and its costs as the
/// text of a project file. Reading it gives an equal plan.
///
/// @error BadValue, TooLarge  of a schedule or costs that no project file can hold
Result<std::string> writePlan(const RunPlan& plan);

/// Reads what `writePlan` wrote.
///
/// @error Syntax  with place or field: not JSON, or a missing, unknown or impossible field
/// @error         as of `readProject`, `Schedule::make`, `lower`, `proveProgress`
Result<RunPlan> readPlan(std::string_view text);

} // namespace pw::exec
