// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/what_if.h"
#include "core/store/run_store.h"

namespace pw {

/// The passes of a stored run in the form in which the pipeline of a trace is.
/// @error  as of `loadIteration`
Result<RecoveredPipeline> storedPipeline(RunStore& store, RunNumber run);

/// The order of a stored run with costs that are fitted to its iterations, warm-up left out; what
/// was measured is its median iteration.
///
/// @error  as of `loadIteration` and `fitCosts`
Result<WhatIfBase> whatIfBase(RunStore& store, RunNumber run);

} // namespace pw
