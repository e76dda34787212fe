// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/what_if.h"
#include "core/job/run_job.h"
#include "core/store/run_store.h"

#include <optional>

namespace pw {

/// The job that a run of a store is: its passes where it was run here, the trace that was kept
/// where it is of another program.
/// @error  as of `RunStore` and `loadStoredTrace`
Result<WholeJob> jobOfStoredRun(RunStore& store, RunNumber run);

/// The replicas of a run of our own that has several, without analysis; nothing where it has one,
/// or is of another program.
/// @error  as of `RunStore`
Result<std::optional<WholeJob>> replicasOfStoredRun(RunStore& store, RunNumber run);

/// What what-ifs of a stored run start from: its first replica where it has several, since a change
/// of the order is made in each of them, else all of it.
/// @error  as of `whatIfBase`
Result<WhatIfBase> replicaWhatIfBase(RunStore& store, RunNumber run);

} // namespace pw
