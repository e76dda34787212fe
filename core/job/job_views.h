// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job.h"
#include "core/model/pass.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pw {

// What people look at in a job: hundreds of workers told by what they have in common.

/// The replicas of a step, by whether they did the same.
struct AlikeReplicas
{
    std::vector<std::int32_t> alike;     ///< by number; none, or at least two
    std::int32_t typical = -1;           ///< of them the one with the median span
    double within = 0;                   ///< the largest deviation of one of them
    std::vector<std::int32_t> different; ///< the furthest off first; those without the step last
};

/// The deviation of a replica is the largest of those of its devices' work and of its span from the
/// medians of all replicas, as a part of them. Alike are those that deviate by 2 % at most, or by
/// three times as much as the median replica. Two replicas have nothing to be alike to, one either.
///
/// @param step  of `Job::steps`
AlikeReplicas alikeReplicas(const Job& job, std::size_t step);

/// A figure of every worker.
enum class WorkerMeasure : std::uint8_t
{
    Work,    ///< time of its passes ⁄ median of its stage in all replicas; of one replica, of all
             ///< stages
    Forward, ///< ticks of its F in a step
    Backward, ///< ticks of its B, W and BW in a step
    Idle,     ///< part of the step, from the first pass of any replica to the last, without a pass
    Memory    ///< bytes at its peak, over the trace
};

constexpr int workerMeasureCount = 5;

/// "work", "forward", "backward", "idle", "memory".
std::string_view name(WorkerMeasure measure);

/// By replica and device, in the order of `Job::workers`; nothing where it is not known.
///
/// @param step  of `Job::steps`; none: the median over those that count
std::vector<std::optional<double>> workerValues(const Job& job, WorkerMeasure measure,
                                                std::optional<std::size_t> step);

/// How long one pass takes in every replica, in ticks: as `workerValues`, nothing but on the device
/// that runs it.
///
/// @param step  of `Job::steps`; none: the median over those that count
std::vector<std::optional<double>> passTimes(const Job& job, const Pass& pass,
                                             std::optional<std::size_t> step);

/// Work of each device as a multiple of the mean of all of them, in the mean of the replicas.
///
/// @param step  of `Job::steps`; none: of each worker the median over those that count
std::vector<double> stageBalance(const Job& job, std::optional<std::size_t> step);

/// All that is told of the steps together, for a job whose passes are not at hand.
struct JobMedians
{
    /// By measure, as `workerValues` of no step.
    std::array<std::vector<std::optional<double>>, workerMeasureCount> workers;
    std::vector<double> balance; ///< as `stageBalance` of no step
    /// By replica and the place of the pass in its schedule's table.
    std::vector<std::vector<std::optional<double>>> passes;

    /// As `passTimes` of no step; nothing for a pass that stands in no order. @pre the spec has it
    std::vector<std::optional<double>> of(const Job& job, const Pass& pass) const;
};

/// @complexity  O(n) for n passes
JobMedians jobMedians(const Job& job);

/// From the first pass of a step of any replica to the last, on the trace's clock.
struct StepWindow
{
    Ticks first = 0;
    Ticks last = 0;
};

/// Nothing where no replica has the step.
std::optional<StepWindow> windowOf(const Job& job, std::size_t step);

/// How many workers are in a pass of each kind, in the mean of a column of time.
using BusyByKind = std::array<float, passKindCount>;

/// @param window   of which the columns are equal parts
/// @param columns  at least 1
/// @complexity     O(n + columns) for n passes of the step, a pass that is longer than a column
///                 counts in each
std::vector<BusyByKind> busyWorkers(const Job& job, std::size_t step, const StepWindow& window,
                                    std::size_t columns);

} // namespace pw
