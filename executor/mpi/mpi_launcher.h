// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

/// MPI libraries that there is a module for. Processes of one launcher meet in its own alone.
enum class MpiLibrary
{
    OpenMpi,
    Mpich
};

/// "Open MPI", "MPICH"
std::string_view name(MpiLibrary library);
/// The module that is built with it: "pipewright-mpi", "pipewright-mpich".
std::string_view moduleOf(MpiLibrary library);
/// Debian's package that the module is built with.
std::string_view packageOf(MpiLibrary library);

/// What has started this process as one of several.
struct MpiLauncher
{
    std::string name; ///< "mpirun of Open MPI", "mpiexec of MPICH", "srun", "a launcher"
    /// Libraries that its processes can meet with, the first that has a module is taken.
    std::vector<MpiLibrary> libraries;
    int processes = 0; ///< that it says it has started; 0: it does not say
};

/// By the environment: OMPI_COMM_WORLD_SIZE of Open MPI, PMI_RANK or PMI_SIZE of MPICH's hydra
/// (with MPI_LOCALNRANKS) and of srun, PMIX_RANK of any launcher with PMIx, SLURM_PROCID of a step
/// of several tasks. PW_MPI_LIBRARY (openmpi or mpich) decides where a launcher could serve both.
/// @return  none: nobody has started several processes
std::optional<MpiLauncher> mpiLauncher();

} // namespace pw::exec
