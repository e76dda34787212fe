// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <string>

namespace pw::app {

// Slurm's own programs: sbatch, squeue, sacct, scontrol, scancel.

/// @error BadValue  which of them is not on the path, and what to do
Result<void> slurmIsHere();

/// Sends a batch script.
/// @return  the job's number
/// @error Fault  what sbatch says
Result<std::string> sendToSlurm(const std::string& script);

/// A job as Slurm sees it.
struct SlurmJobState
{
    std::string state;  ///< "PENDING"; empty: Slurm does not know the job any more
    std::string reason; ///< why it waits, or its nodes

    friend bool operator==(const SlurmJobState&, const SlurmJobState&) = default;
};

/// Asks squeue, then, of a job that it has forgotten, sacct and scontrol.
/// @error Fault  Slurm does not answer
Result<SlurmJobState> slurmJobState(const std::string& job);

/// Cancels a job, wherever it is.
/// @error Fault  what scancel says
Result<void> cancelSlurmJob(const std::string& job);

/// The partitions with their states, a line each; empty where sinfo does not say.
std::string slurmPartitions();

} // namespace pw::app
