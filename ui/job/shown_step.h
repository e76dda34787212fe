// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_views.h"
#include "core/sim/explain.h"
#include "core/sim/simulator.h"
#include "ui/models/lanes.h"
#include "ui/traces/shown_job.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pw::ui {

/// A replica's lanes in the picture of a step.
struct ShownReplica
{
    std::int32_t replica = 0;
    int firstLane = 0;  ///< in the picture
    Ticks shift = 0;    ///< from the picture's times to those of `lanes`
    LanesPtr lanes;     ///< of it alone, a lane a device; its first start is 0
    SimResult measured; ///< the same times by entry
};

/// One step of a job as lanes: each replica that differs, then one for all that are alike.
/// Immutable once made and shared.
struct ShownStep
{
    ShownJobPtr job;
    std::size_t step = 0; ///< of `Job::steps`
    JobOfStep withPasses;
    AlikeReplicas alike;
    StepWindow window;
    std::vector<ShownReplica> replicas; ///< in the order of their lanes
    LanesPtr lanes;                     ///< of all of them; 0 is the begin of the window
    std::vector<BusyByKind> busy;       ///< of all workers, in equal parts of the window

    static constexpr std::size_t columns = 1024; ///< of `busy`
    /// Of replicas that differ, without being asked for.
    static constexpr std::size_t mostDifferent = 4;

    const Schedule& schedule(const ShownReplica& replica) const
    {
        return *job->replica(static_cast<std::size_t>(replica.replica)).schedule;
    }
    /// Whose a lane is; null: there is no such lane.
    const ShownReplica* replicaOf(int lane) const;
    std::optional<Worker> workerOf(int lane) const;
    /// −1: it is not shown.
    int laneOf(const Worker& worker) const;
    SpanRef ownSpan(const ShownReplica& replica, SpanRef span) const;
    SpanRef pictureSpan(const ShownReplica& replica, SpanRef span) const;
    /// Why a lane idles at a time of the picture; nothing where it does not.
    std::optional<Gap> gapAt(int lane, Ticks time) const;
};

using ShownStepPtr = std::shared_ptr<const ShownStep>;

/// @param opened  replicas that are shown by themselves, whether or not they differ
/// @pre some replica has the step
/// @error  as of `ShownJob::step`
/// @complexity  O(n log n) for n passes of the replicas that are shown, and O(n) for all
Result<ShownStepPtr> shownStep(const ShownJobPtr& job, std::size_t step,
                               const std::vector<std::int32_t>& opened);

} // namespace pw::ui
