// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_replay.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace pw {

/// What the workers of a job take for each micro-batch, beside their replicas. Workers are numbered
/// by replica, then by device.
class WorkerMicroBatches
{
public:
    /// @param replay  outlives this
    explicit WorkerMicroBatches(const JobReplay& replay)
        : m_replay(replay)
    {
    }

    /// How many times as long as the same micro-batch takes the median of the other replicas, of
    /// the worker's lower median micro-batch: a long micro-batch makes no worker slow. Infinity
    /// where nothing can be compared.
    double lowerMedianRatio(std::size_t worker);

private:
    const std::map<std::int32_t, double>& times(std::size_t worker);

    const JobReplay& m_replay;
    /// By worker and micro-batch, over all steps, of those that were asked for.
    std::map<std::size_t, std::map<std::int32_t, double>> m_times;
};

} // namespace pw
