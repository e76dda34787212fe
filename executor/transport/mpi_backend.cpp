// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/mpi_backend.h"

#include <array>
#include <cstdlib>

namespace pw::exec {

bool startedByMpi()
{
    // Open MPI and PRRTE, MPICH and its kin, any launcher with PMIx.
    constexpr std::array<const char*, 4> launchers = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                                      "PMI_RANK", "PMIX_RANK"};
    for (const char* variable : launchers) {
        if (std::getenv(variable) != nullptr)
            return true;
    }
    // srun says which process this is; a batch script has the number of tasks alone, and its first
    // process counts as 0 of the script itself.
    const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    return tasks != nullptr && std::getenv("SLURM_PROCID") != nullptr && std::atoi(tasks) > 1;
}

Result<std::unique_ptr<MpiRanks>> joinMpi()
{
    return fail(ErrorCode::BadValue, "this program was built without MPI");
}

} // namespace pw::exec
