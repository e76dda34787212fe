// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/gpu_list.h"

#include "executor/cuda/architectures.h"
#include "executor/cuda/cuda_error.h"
#include "executor/cuda/nccl_api.h"

#include <cstring>

namespace pw::exec::cuda {

namespace {

constexpr std::string_view builtFor = PW_CUDA_ARCHITECTURES;

/// "13.0" of 13000.
std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version / 10 % 100);
}

/// What keeps a GPU from being used; empty where nothing does.
std::string missingText(cudaError_t status, int count)
{
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (driver == 0)
        return "no NVIDIA driver is loaded here (libcuda.so.1); a machine with an NVIDIA GPU and "
               "a driver of CUDA " +
               versionText(runtime / 1000 * 1000) + " or later brings it";
    if (status == cudaErrorInsufficientDriver)
        return "the NVIDIA driver is of CUDA " + versionText(driver) + ", older than the " +
               versionText(runtime / 1000 * 1000) + " that is needed";
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
        return "the NVIDIA driver sees no GPU (CUDA_VISIBLE_DEVICES may hide them)";
    return status == cudaSuccess ? std::string() : errorText("cudaGetDeviceCount", status);
}

} // namespace

std::string librariesText()
{
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    const Result<const NcclApi*> nccl = loadNccl();
    return (driver == 0 ? "no driver" : "driver of CUDA " + versionText(driver)) + ", runtime " +
           versionText(runtime) + ", " + (nccl ? "NCCL " + (*nccl)->version() : "no NCCL");
}

RunDevice describeGpu(int gpu)
{
    cudaDeviceProp properties{};
    check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, gpu));
    return {std::string(properties.name) + " (compute capability " +
                std::to_string(properties.major) + "." + std::to_string(properties.minor) + ", " +
                std::to_string(properties.multiProcessorCount) + " multiprocessors)",
            static_cast<Bytes>(properties.totalGlobalMem)};
}

GpuIdentity identityOf(int gpu)
{
    cudaDeviceProp properties{};
    check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, gpu));
    GpuIdentity identity;
    static_assert(sizeof(properties.uuid.bytes) == sizeof(identity));
    std::memcpy(identity.data(), properties.uuid.bytes, sizeof(identity));
    return identity;
}

Bytes freeBytes(int gpu)
{
    check("cudaSetDevice", cudaSetDevice(gpu));
    std::size_t free = 0;
    std::size_t whole = 0;
    check("cudaMemGetInfo", cudaMemGetInfo(&free, &whole));
    return static_cast<Bytes>(free);
}

GpuList findGpus()
{
    GpuList list;
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    cudaGetLastError();
    list.missing = missingText(status, count);
    try {
        for (int gpu = 0; list.missing.empty() && gpu < count; ++gpu) {
            int major = 0;
            int minor = 0;
            check("cudaDeviceGetAttribute",
                  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu));
            check("cudaDeviceGetAttribute",
                  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, gpu));
            RunDevice device = describeGpu(gpu);
            if (runsOn(builtFor, major, minor)) {
                list.numbers.push_back(gpu);
                list.devices.push_back(std::move(device));
            } else {
                list.refused.push_back(
                    refusedText(builtFor, "GPU " + std::to_string(gpu), major, minor));
            }
        }
    } catch (const DeviceError& failure) {
        list.numbers.clear();
        list.devices.clear();
        list.missing = failure.what();
    }
    if (list.missing.empty() && list.devices.empty() && !list.refused.empty())
        list.missing = list.refused.front();
    return list;
}

} // namespace pw::exec::cuda
