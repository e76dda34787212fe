// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/records.h"
#include "executor/api/runner.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace pw::exec {

/// What the ranks of a run and the thread that collects share.
struct RunShared
{
    RunShared(const RunPlan& thePlan, const WorkerFactory& theWorkers, RunClock& theClock,
              const Stop& theStop, Ticks thePatience)
        : plan(thePlan)
        , workers(theWorkers)
        , clock(theClock)
        , stop(theStop)
        , patience(thePatience)
    {
    }

    /// Ends the run; notes the fault where it is the first and nobody has stopped the run.
    /// @param isWait  a wait for another rank that has reached its limit, or that the end of the
    ///                run has cut short
    void fault(RunFault fault, ErrorCode code, bool isWait = false);

    /// Ends the run where there is not even memory to say why.
    void exhaust(RankId rank) noexcept;

    const RunPlan& plan;
    const WorkerFactory& workers;
    RunClock& clock;
    const Stop& stop; ///< the user's
    const Ticks patience;
    Stop ended; ///< requested on a fault and when the user stops the run

    /// Where a rank of this process is and for whom it waits, in words; empty for a rank of
    /// another process.
    std::function<std::string(RankId rank)> whereIs;

    std::mutex mutex;
    std::condition_variable changed;        ///< a rank has ended, or a fault
    int running = 0;                        ///< ranks; guarded
    std::optional<RunFault> firstFault;     ///< guarded
    ErrorCode firstCode = ErrorCode::Fault; ///< guarded
    RankId exhausted = RankId::none();      ///< the first without memory for a fault; guarded
    std::optional<RunFault> cutWait;        ///< a rank that waited at the end; guarded
};

} // namespace pw::exec
