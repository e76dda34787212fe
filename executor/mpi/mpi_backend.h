// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/backend.h"
#include "executor/api/stop.h"

#include <memory>
#include <string>
#include <string_view>

namespace pw::exec {

/// Whether a launcher (mpirun, mpiexec, srun) started this process as one of several. Looks at the
/// environment only.
bool startedByMpi();

/// The processes of one mpirun, a rank each.
///
/// A command that runs plans joins before anything else. Rank 0 reads the command line, opens
/// files, prints, and runs plans with `backend`; the others call `serve`, print nothing and end
/// with success, so that the launcher leaves rank 0 alone:
///
///     if (startedByMpi()) {
///         Result<std::unique_ptr<MpiRanks>> ranks = joinMpi();
///         if (!ranks) …                                  print the error, end with 1
///         if (!(*ranks)->leads())
///             (*ranks)->serve(stop);                     then end with 0
///         else
///             … (*ranks)->backend("cpu") …               any number of runs
///     }
///
/// When rank 0 drops its object, the others come back from `serve`.
class MpiRanks
{
public:
    virtual ~MpiRanks() = default;

    virtual int size() const = 0;
    virtual RankId rank() const = 0;
    bool leads() const { return rank() == 0; }
    /// "4 processes on node1 and node2, Open MPI 4.1.4"
    virtual std::string summary() const = 0;

    /// Rank 0: a backend that runs plans of at most `size` devices, device i on rank i. Passes,
    /// messages, snapshots of all ranks come together here; sink and snapshot listener are called
    /// by one thread at a time. The object must outlive it.
    ///
    /// @param name  cpu, emulated, cuda; auto: cpu
    /// @error BadValue  no such backend, or not available
    virtual Result<std::unique_ptr<Backend>> backend(std::string_view name,
                                                     std::string* reason = nullptr) = 0;

    /// The other ranks: does their part of every run until rank 0 ends or somebody stops this
    /// process. A run that fails or is stopped is rank 0's to report.
    /// @error Fault  rank 0 is gone
    virtual Result<void> serve(const Stop& stop) = 0;
};

/// Loads the MPI module and meets the other processes.
/// @error BadValue  a launcher started this process, but the module is not there or does not load:
///                  says what would bring it
/// @error Fault     the processes do not meet, or are of different builds
Result<std::unique_ptr<MpiRanks>> joinMpi();

} // namespace pw::exec
