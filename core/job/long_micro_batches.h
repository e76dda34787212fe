// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_replay.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace pw {

/// Micro-batches that are longer than the others of their step on every stage, as long sequences
/// make them.
struct LongMicroBatches
{
    /// By step of the replay and replica, by how much each micro-batch is longer; 1: not long.
    std::map<std::pair<std::size_t, std::size_t>, std::map<std::int32_t, double>> factors;
    std::int64_t count = 0;
    double longest = 1;
    std::map<std::int32_t, std::int64_t> byReplica;    ///< how many of them
    std::map<std::int32_t, std::int64_t> byMicroBatch; ///< likewise
};

/// Finds them: on the stage where it is least so, a micro-batch takes 1.1 times what is usual on
/// that stage and in that step, and more than by the spread of passes within a micro-batch.
LongMicroBatches longMicroBatches(const JobReplay& replay);

/// What is another way where they are as long as the others.
JobReplay::Variant evenMicroBatches(const JobReplay& replay, LongMicroBatches cells);

} // namespace pw
