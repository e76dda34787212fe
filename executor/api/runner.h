// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/run_plan.h"
#include "executor/api/run_sink.h"
#include "executor/api/stop.h"
#include "executor/api/transport.h"
#include "executor/api/worker.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace pw::exec {

/// Makes the worker of a rank, on the rank's own thread.
using WorkerFactory =
    std::function<Result<std::unique_ptr<Worker>>(RankId rank, const RunClock& clock)>;

/// Runs a plan with a worker and an endpoint for every rank of this process: one thread a rank, and
/// one that hands records to the sink.
///
/// Every rank follows its program: receives are posted where they stand, an entry waits for its
/// messages, a result leaves when its pass ends; under `MessageRule::Committed` the sends and
/// receives between two entries end together. Iterations begin at a barrier. Updates that do not
/// stand in the order follow the last entry of an iteration, reductions before them.
///
/// The first fault stops all ranks; the sink hears it and `finished`, in any case.
///
/// Faults of the plan strike here, but for SkipWeight, which is the worker's. In a process with
/// some of the ranks only, the loss of a step is those ranks' part of the mean; parts add up.
///
/// The calling thread is the one that collects. A rank that does not end although the run has, as
/// one that hangs in a driver, is left behind after a second and a half: see `ranksLeftBehind`.
///
/// @param environment  as the backend knows it; passed to the sink
/// @param notes        what a user should know of this run before it begins
/// @error Fault, Cancelled  see `Backend::run`
/// @error BadValue  a fault of the plan that cannot strike; the sink has heard nothing
Result<RunFigures> runRanks(const RunPlan& plan, const WorkerFactory& workers, Transport& transport,
                            RunClock& clock, const RunEnvironment& environment, RunSink& sink,
                            const Stop& stop, std::span<const std::string> notes = {});

/// Whether a rank of any run of this process could not be ended. Its thread still uses the plan,
/// the transport and the device: whoever owns them must not destroy them. The process itself
/// destroys nothing when it ends.
bool ranksLeftBehind();

} // namespace pw::exec
