// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/kernel_count.h"
#include "executor/api/run_plan.h"
#include "executor/api/run_sink.h"
#include "executor/api/snapshot.h"
#include "executor/api/stop.h"

#include <string>
#include <vector>

namespace pw::exec {

/// What a backend has to offer here, or why it has nothing.
struct BackendInfo
{
    std::string name;    ///< cpu, emulated, cuda
    std::string summary; ///< one line: the library or the driver that it computes with
    bool available = false;
    std::string missing; ///< where it is not available: what is missing, and what would bring it
    std::vector<RunDevice> devices; ///< found; empty for emulated, which has as many as asked for
    std::vector<std::string> notes; ///< limits that a user should know
    /// Iterations until passes take what they take from then on: what a run without another wish
    /// runs first and does not count.
    int warmup = 1;
};

/// Memory that neighbouring devices of a run take from.
struct MemoryPool
{
    Bytes free = 0;
    int devices = 1;
};

/// Something that runs plans.
class Backend
{
public:
    virtual ~Backend() = default;

    virtual BackendInfo info() const = 0;

    /// Runs a plan on all ranks (or, one process a rank, on this process's) and returns when all
    /// are done, failed or stopped. The sink hears everything, `finished` last.
    ///
    /// @error Fault      a rank failed; the message names rank, pass and peer
    /// @error Cancelled  stopped on request
    /// @error BadValue   the plan needs more devices or another element than there are
    virtual Result<RunFigures> run(const RunPlan& plan, RunSink& sink, const Stop& stop) = 0;

    /// Whether a run finds the memory of the run before as that left it, where both are alike: its
    /// first iteration is then as quick as the others.
    virtual bool keepsMemory() const { return false; }

    /// What is free now for so many devices, all of them in their order; they share where there are
    /// fewer GPUs than devices.
    /// @error BadValue  the backend has no memory of its own, or does not know it
    virtual Result<std::vector<MemoryPool>> memory(int devices)
    {
        static_cast<void>(devices);
        return fail(ErrorCode::BadValue, "the backend %1 has no memory that a model could fill",
                    info().name);
    }

    /// Runs a plan as `run` does while it is told what the passes have their GPUs do: passes take
    /// longer then, so that the times of such a run are only for what is said of its kernels.
    /// @error BadValue  the backend has no kernels, or nothing tells of them here: says why
    /// @error           as of `run`
    virtual Result<KernelCount> kernelsOf(const RunPlan& plan, RunSink& sink, const Stop& stop)
    {
        static_cast<void>(plan);
        static_cast<void>(sink);
        static_cast<void>(stop);
        return fail(ErrorCode::BadValue,
                    "%1 has no kernels that it could count here: that takes the backend cuda in "
                    "one process",
                    info().name);
    }

    /// Who sees parameters and gradients before every update of the runs that follow, on the ranks
    /// of this process. A backend that trains nothing never calls it.
    void setSnapshotListener(SnapshotListener listener) { m_snapshots = std::move(listener); }

protected:
    /// What `run` hands to its workers; may be empty.
    const SnapshotListener& snapshotListener() const { return m_snapshots; }

private:
    SnapshotListener m_snapshots;
};

} // namespace pw::exec
