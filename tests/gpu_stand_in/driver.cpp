// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/machine.h"

#include <algorithm>
#include <cstring>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <string>
#include <string_view>

// The driver's functions that are asked for by name: green contexts, which are streams that
// remember their part of the GPU.
struct CUgreenCtx_st
{
    int device;
};

struct CUdevResourceDesc_st
{
    unsigned group;
};

namespace pw::gpu {

namespace {

constexpr unsigned multiprocessors = 132;
constexpr unsigned leastGroup = 8;

CUresult resourceOf(CUdevice, CUdevResource* resource, CUdevResourceType type)
{
    *resource = {type, {multiprocessors, leastGroup, leastGroup}, 0};
    return CUDA_SUCCESS;
}

CUresult split(CUdevResource* parts, unsigned* count, const CUdevResource* whole, CUdevResource*,
               unsigned, unsigned least)
{
    const unsigned size = (std::max(least, leastGroup) + leastGroup - 1) / leastGroup * leastGroup;
    *count = std::min(*count, whole->sm.smCount / size);
    for (unsigned i = 0; i < *count; ++i) {
        parts[i] = *whole;
        parts[i].sm.smCount = size;
        parts[i].group = i + 1;
    }
    return CUDA_SUCCESS;
}

CUresult describe(CUdevResourceDesc* description, CUdevResource* resources, unsigned count)
{
    if (count != 1 || resources->group == 0)
        return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    *description = new CUdevResourceDesc_st{resources->group};
    return CUDA_SUCCESS;
}

CUresult create(CUgreenCtx* context, CUdevResourceDesc description, CUdevice device, unsigned flags)
{
    if (description == nullptr || flags != CU_GREEN_CTX_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    delete description;
    *context = new CUgreenCtx_st{device};
    return CUDA_SUCCESS;
}

CUresult destroy(CUgreenCtx context)
{
    delete context;
    return CUDA_SUCCESS;
}

CUresult makeStream(CUstream* stream, CUgreenCtx context, unsigned flags, int)
{
    if (flags != CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE; // a green context has no other
    *stream = Machine::one().makeStream(context->device);
    return CUDA_SUCCESS;
}

template<typename Function>
void* addressOf(Function* function)
{
    return reinterpret_cast<void*>(function);
}

void* functionOf(std::string_view name)
{
    if (name == "cuDeviceGetDevResource")
        return addressOf(resourceOf);
    if (name == "cuDevSmResourceSplitByCount")
        return addressOf(split);
    if (name == "cuDevResourceGenerateDesc")
        return addressOf(describe);
    if (name == "cuGreenCtxCreate")
        return addressOf(create);
    if (name == "cuGreenCtxDestroy")
        return addressOf(destroy);
    return name == "cuGreenCtxStreamCreate" ? addressOf(makeStream) : nullptr;
}

} // namespace

} // namespace pw::gpu

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                                        unsigned long long,
                                                        cudaDriverEntryPointQueryResult* found)
{
    *function = pw::gpu::functionOf(name);
    *found =
        *function == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
    return cudaSuccess;
}
