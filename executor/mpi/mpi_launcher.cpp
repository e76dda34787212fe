// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_launcher.h"

#include <cstdlib>

namespace pw::exec {

namespace {

bool isSet(const char* variable)
{
    return std::getenv(variable) != nullptr;
}

/// A number of processes; 0 where there is none.
int countIn(const char* variable)
{
    const char* text = std::getenv(variable);
    return text == nullptr ? 0 : std::atoi(text);
}

/// The libraries for a launcher that serves both, likelier ones first.
std::vector<MpiLibrary> eitherLibrary(MpiLibrary likelier)
{
    const char* wanted = std::getenv("PW_MPI_LIBRARY");
    if (wanted != nullptr && std::string_view(wanted) == "mpich")
        return {MpiLibrary::Mpich};
    if (wanted != nullptr && std::string_view(wanted) == "openmpi")
        return {MpiLibrary::OpenMpi};
    if (likelier == MpiLibrary::Mpich)
        return {MpiLibrary::Mpich, MpiLibrary::OpenMpi};
    return {MpiLibrary::OpenMpi, MpiLibrary::Mpich};
}

} // namespace

std::string_view name(MpiLibrary library)
{
    return library == MpiLibrary::OpenMpi ? "Open MPI" : "MPICH";
}

std::string_view moduleOf(MpiLibrary library)
{
    return library == MpiLibrary::OpenMpi ? "pipewright-mpi" : "pipewright-mpich";
}

std::string_view packageOf(MpiLibrary library)
{
    return library == MpiLibrary::OpenMpi ? "libopenmpi-dev" : "libmpich-dev";
}

std::optional<MpiLauncher> mpiLauncher()
{
    if (isSet("OMPI_COMM_WORLD_SIZE"))
        return MpiLauncher{
            "mpirun of Open MPI", {MpiLibrary::OpenMpi}, countIn("OMPI_COMM_WORLD_SIZE")};
    // srun says which process this is; a batch script has the number of tasks alone, and its first
    // process counts as 0 of the script itself.
    const int tasks = isSet("SLURM_PROCID") ? countIn("SLURM_STEP_NUM_TASKS") : 0;
    const std::string name = tasks > 1 ? "srun" : "a launcher";
    // PMIx is how Open MPI's processes meet, and PMI how those of MPICH do.
    if (isSet("PMIX_RANK"))
        return MpiLauncher{name, eitherLibrary(MpiLibrary::OpenMpi), tasks};
    if (isSet("PMI_RANK") || isSet("PMI_SIZE")) {
        // Hydra, and what descends from it, says how many there are on this host; srun does not.
        if (isSet("MPI_LOCALNRANKS"))
            return MpiLauncher{"mpiexec of MPICH", {MpiLibrary::Mpich}, countIn("PMI_SIZE")};
        return MpiLauncher{name, eitherLibrary(MpiLibrary::Mpich), countIn("PMI_SIZE")};
    }
    if (tasks > 1)
        return MpiLauncher{name, eitherLibrary(MpiLibrary::OpenMpi), tasks};
    return std::nullopt;
}

} // namespace pw::exec
