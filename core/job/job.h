// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/align_clocks.h"
#include "core/trace/recover.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pw {

// A *job* trains one model: one *pipeline*, or several *replicas* of it beside each other, which
// meet once in each *step* to add up their gradients. A *worker* is one stage of one replica.

/// One step of a job, all replicas of it.
struct JobStep
{
    std::int32_t number = 0; ///< as labelled, else counted from 0
    Ticks time = 0;          ///< whole step of the slowest replica, work around its passes included
    bool warmUp = false;
    bool complete = false; ///< every replica has every pass of its order; only such steps count
    std::vector<std::int32_t>
        iteration;           ///< of `RecoveredPipeline::iterations`, by replica; −1: none
    std::vector<Ticks> span; ///< from the first pass to the last end, by replica
    /// Work beside passes: gathered parameters, the gradients' sum, the optimizer. Of each replica
    /// the rank whose passes end last does not wait for others of it, and the replica where that
    /// takes least does not wait for other replicas.
    Ticks around = 0;
    /// The same of pieces of work that have a name, each as short as on any rank: none waits there.
    Ticks leastAround = 0;
};

/// A stage of a replica.
struct Worker
{
    std::int32_t replica = 0;
    DeviceId device; ///< of the replica's pipeline; its stage where a device has one

    friend bool operator==(const Worker&, const Worker&) = default;
};

/// A job as a trace has it.
struct Job
{
    /// By number; those that `made` does not hold outlive this. Those that do not have the first
    /// one's shape are left out.
    std::vector<const RecoveredPipeline*> replicas;
    /// Of several replicas each without its updates, which wait for all of them.
    std::shared_ptr<const std::vector<RecoveredPipeline>> made;
    std::vector<JobStep> steps; ///< in the order of time
    std::int64_t ranks = 0;     ///< with passes, those that share a worker's tensors too

    /// Steps that figures are of: complete, and no warm-up.
    std::vector<std::size_t> counted() const;
    /// Workers in the order of replicas and devices.
    std::vector<Worker> workers() const;
    int devices() const; ///< of one pipeline
    /// Median of whole steps that count. @pre there is one
    Ticks stepTime() const;
};

/// The job of a trace. No replica where the first pipeline's order is not known.
///
/// A step takes as long as what names it: the profiler's steps, or spans that say its number. Where
/// nothing does, it is the passes and the work of devices around them.
///
/// @param pipelines  of all replicas, on the clocks of the trace; outlive the job
/// @complexity       O(n log n) for n spans
Job jobOf(const Trace& trace, std::span<const AlignedPipeline> pipelines);

} // namespace pw
