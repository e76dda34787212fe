// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/advice_source.h"
#include "core/store/run_store.h"

namespace pw {

/// The step of a stored run; of several replicas the first.
/// @error as of `whatIfBase`
Result<AdviceSource> adviceSource(RunStore& store, RunNumber run);

} // namespace pw
