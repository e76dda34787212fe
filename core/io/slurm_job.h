// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What a job asks of Slurm. Texts are as Slurm's own options take them.
struct SlurmJob
{
    std::string name = "pipewright";
    std::string partition; ///< empty: the cluster's default
    std::string account;   ///< empty: the user's default
    std::string time;      ///< "30" minutes, "2:00:00", "1-12"; empty: the partition's limit
    int nodes = 0;         ///< 0: as many as the tasks need
    int tasks = 0;         ///< processes; 0: one a device of the schedule
    int cpusPerTask = 1;
    int gpusPerTask = 0;
    std::string mpi = "pmix"; ///< how the processes meet: pmix for Open MPI, pmi2 for MPICH

    friend bool operator==(const SlurmJob&, const SlurmJob&) = default;
};

/// Sets what an option of `pipewright submit` says: partition, account, time, name, mpi, nodes,
/// tasks, cpus-per-task, gpus-per-task.
///
/// @error BadValue  another option, a number out of its range, a time that Slurm does not read, or
///                  a name with a character that has no place in one
Result<void> setSlurmOption(SlurmJob& job, std::string_view option, std::string_view value);

/// The options that say so, without those that say what a job is anyway: "--partition", "gpu", …
std::vector<std::string> slurmOptions(const SlurmJob& job);

/// The job of a command line that has "submit" in it: the options up to a lone "--".
/// @error BadValue  there is no "submit", an option lacks its value, or as of `setSlurmOption`
Result<SlurmJob> slurmJobOf(std::span<const std::string> words);

/// What the processes of a job run, and where that goes.
struct SlurmStep
{
    std::vector<std::string> command;      ///< the program and its arguments
    std::string output;                    ///< file of standard output; empty: that of the job
    std::string log = "pipewright-%j.out"; ///< file of the job's own output
};

/// The batch script: what Slurm is asked for, and one srun that starts the processes; with one task
/// the program itself.
/// @pre  job.tasks > 0
std::string slurmScript(const SlurmJob& job, const SlurmStep& step);

/// A word as a shell takes it: in quotation marks where it needs them.
std::string shellWord(std::string_view word);

/// How far a job is.
enum class SlurmPhase
{
    Waits,
    Runs,
    Ended,  ///< well
    Failed, ///< in any other way
    Unknown
};

/// The phase of a state in Slurm's words: "PENDING", "CANCELLED by 1000", "COMPLETED".
SlurmPhase slurmPhase(std::string_view state);

/// State and reason in plain words: "waits for free nodes (Resources)", "ended: its time was over".
/// @param reason  why it waits, or the nodes that it runs on; may be empty
std::string slurmStateText(std::string_view state, std::string_view reason);

} // namespace pw
