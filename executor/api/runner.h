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

namespace pw::exec {

/// Makes the worker of a rank, on the rank's own thread.
using WorkerFactory =
    std::function<Result<std::unique_ptr<Worker>>(int rank, const RunClock& clock)>;

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
/// @param environment  as the backend knows it; passed to the sink
/// @error Fault, Cancelled  see `Backend::run`
Result<RunFigures> runRanks(const RunPlan& plan, const WorkerFactory& workers, Transport& transport,
                            RunClock& clock, const RunEnvironment& environment, RunSink& sink,
                            const Stop& stop);

} // namespace pw::exec
