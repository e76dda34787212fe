// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/gpu_reading.h"
#include "core/trace/records.h"

#include <span>

namespace pw::exec {

struct RunPlan;

/// Takes what a run says as it happens. Called by one thread at a time, never by a rank's own, so
/// that slow listeners do not slow a run. Batches hold records of all ranks, each rank's in time
/// order.
class RunSink
{
public:
    virtual ~RunSink() = default;

    /// Once, before anything else.
    virtual void started(const RunPlan& plan, const RunEnvironment& environment) = 0;
    virtual void passes(std::span<const RecordedPass> batch) = 0;
    virtual void messages(std::span<const RecordedMessage> batch) = 0;
    virtual void memory(std::span<const MemorySample> batch) = 0;
    /// Of runs that keep activations in the host's memory.
    virtual void copies(std::span<const RecordedCopy> /*batch*/) {}
    /// What GPUs say of themselves at the start and at the end of a run on them.
    virtual void gpus(std::span<const GpuReading> /*batch*/) {}
    virtual void loss(const StepLoss& loss) = 0;
    virtual void log(const RunLog& log) = 0;
    virtual void fault(const RunFault& fault) = 0;
    /// A rank that waited for another one, in vain or until the run was ended: for those that look
    /// for the rank that held all others up. Before the fault, if any.
    virtual void cutWait(const RunFault& /*wait*/) {}
    /// Once, after everything else, however the run ended.
    virtual void finished(RunStatus status, const RunFigures& figures) = 0;
};

} // namespace pw::exec
