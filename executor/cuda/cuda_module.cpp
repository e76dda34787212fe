// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/module.h"
#include "executor/cuda/cuda_backend.h"
#include "executor/cuda/cuda_rank.h"
#include "executor/cuda/module_loading.h"
#include "executor/cuda/nccl_debug.h"
#include "executor/mpi/mpi_launcher.h"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

namespace {

/// GPUs of this machine as its driver lists them, before CUDA starts; 0: it does not say.
std::ptrdiff_t gpusOfMachine()
{
    std::error_code problem;
    const std::filesystem::directory_iterator gpus("/proc/driver/nvidia/gpus", problem);
    return problem ? 0 : std::distance(begin(gpus), end(gpus));
}

/// Processes that were started together, or 2 where the launcher does not say; 0: none but this.
int processesTogether()
{
    constexpr int several = 2;
    const std::optional<pw::exec::MpiLauncher> launcher = pw::exec::mpiLauncher();
    if (!launcher)
        return 0;
    return launcher->processes > 0 ? launcher->processes : several;
}

/// Before CUDA starts.
void prepare()
{
    // Ranks that share a GPU have more streams than the 8 connections that CUDA opens by itself;
    // streams that share one wait for each other. It is read when CUDA starts, so it is set here.
    constexpr int keepGiven = 0;
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", keepGiven);
    const char* const transport = std::getenv("PW_CUDA_TRANSPORT");
    pw::exec::cuda::LoadingFacts facts;
    facts.machineGpus = static_cast<int>(gpusOfMachine());
    facts.visible = std::getenv("CUDA_VISIBLE_DEVICES");
    facts.processes = processesTogether();
    facts.ncclToItself = transport != nullptr && std::string_view(transport) == "nccl";
    if (pw::exec::cuda::loadsAtOnce(facts))
        setenv("CUDA_MODULE_LOADING", "EAGER", keepGiven);
    pw::exec::cuda::catchNcclLines();
}

} // namespace

/// What the program looks for in the module: see `BackendFactory`.
extern "C" __attribute__((visibility("default"))) pw::exec::Backend* pw_cuda_backend(int abi)
{
    if (abi != pw::exec::moduleAbi)
        return nullptr;
    prepare();
    return pw::exec::cuda::makeCudaBackend().release();
}

/// The same for a process of several: see `RankPartsFactory`.
extern "C" __attribute__((visibility("default"))) pw::exec::RankParts*
pw_cuda_rank(int abi, pw::exec::RankRequest& request, pw::Error& problem)
{
    if (abi != pw::exec::moduleAbi) {
        problem = {pw::ErrorCode::BadValue,
                   "the module pipewright-cuda is of another build of Pipewright"};
        return nullptr;
    }
    prepare();
    pw::Result<std::unique_ptr<pw::exec::RankParts>> parts = pw::exec::cuda::makeCudaRank(request);
    if (parts)
        return parts->release();
    problem = parts.error();
    return nullptr;
}
