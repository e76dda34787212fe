// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/gpu_shares.h"

#include "executor/cuda/cuda_error.h"
#include "executor/model/ops.h"

#include <cstdlib>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <string_view>

namespace pw::exec::cuda {

namespace {

/// The driver's function of a name as of a CUDA version, or null where the driver is older.
template<typename Function>
void find(Function& function, const char* name, unsigned version)
{
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    const cudaError_t status =
        cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found);
    if (status != cudaSuccess || found != cudaDriverEntryPointSuccess)
        address = nullptr;
    function = reinterpret_cast<Function>(address);
}

/// The environment may ask for plain streams, to tell what green contexts are worth.
bool plainStreamsWanted()
{
    const char* wanted = std::getenv("PW_CUDA_SPLIT");
    return wanted != nullptr && std::string_view(wanted) == "streams";
}

} // namespace

/// Functions of the driver that are asked for by name, so that the module loads without a driver.
struct GpuShares::GreenCalls
{
    PFN_cuDeviceGetDevResource_v12040 resourceOf = nullptr;
    PFN_cuDevSmResourceSplitByCount_v12040 split = nullptr;
    PFN_cuDevResourceGenerateDesc_v12040 describe = nullptr;
    PFN_cuGreenCtxCreate_v12040 create = nullptr;
    PFN_cuGreenCtxDestroy_v12040 destroy = nullptr;
    PFN_cuGreenCtxStreamCreate_v12050 makeStream = nullptr;

    GreenCalls()
    {
        constexpr unsigned first = 12040;
        constexpr unsigned withStreams = 12050;
        find(resourceOf, "cuDeviceGetDevResource", first);
        find(split, "cuDevSmResourceSplitByCount", first);
        find(describe, "cuDevResourceGenerateDesc", first);
        find(create, "cuGreenCtxCreate", first);
        find(destroy, "cuGreenCtxDestroy", first);
        find(makeStream, "cuGreenCtxStreamCreate", withStreams);
    }
    bool complete() const
    {
        return resourceOf != nullptr && split != nullptr && describe != nullptr &&
               create != nullptr && destroy != nullptr && makeStream != nullptr;
    }
};

GpuShares::GpuShares(int gpu, int shares)
    : m_gpu(gpu)
{
    check("cudaSetDevice", cudaSetDevice(gpu));
    check("cudaFree", cudaFree(nullptr)); // makes the primary context, which green ones need
    check("cudaDeviceGetAttribute",
          cudaDeviceGetAttribute(&m_multiprocessors, cudaDevAttrMultiProcessorCount, gpu));
    if (shares <= 1)
        return;
    const int whole = m_multiprocessors;
    const std::string name = "GPU " + std::to_string(gpu);
    std::string why = cutInto(shares);
    if (why.empty())
        why = tryStreams();
    if (why.empty()) {
        m_note = name + " is split into " + std::to_string(shares) + " devices of " +
                 std::to_string(m_multiprocessors) + " of its " + std::to_string(whole) +
                 " multiprocessors each (green contexts)";
        return;
    }
    destroyContexts();
    m_multiprocessors = whole;
    m_note = name + " is shared by " + std::to_string(shares) +
             " devices that are plain streams, without multiprocessors of their own: " + why;
}

std::string GpuShares::cutInto(int shares)
{
    if (plainStreamsWanted())
        return "PW_CUDA_SPLIT=streams";
    m_calls = std::make_unique<GreenCalls>();
    if (!m_calls->complete())
        return "the driver has no green contexts (CUDA 12.5 brings them)";
    CUdevResource all{};
    if (m_calls->resourceOf(m_gpu, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS)
        return "the driver does not tell the multiprocessors";
    GpuShape shape{static_cast<int>(all.sm.smCount), static_cast<int>(all.sm.minSmPartitionSize),
                   static_cast<int>(all.sm.smCoscheduledAlignment)};
    if (shape.alignment <= 0) { // a driver before 13 does not say
        constexpr int ofHopper = 8;
        shape.alignment = ofHopper;
        shape.leastGroup = ofHopper;
    }
    const int size = groupSize(shape, shares);
    if (size == 0)
        return std::to_string(shape.multiprocessors) + " multiprocessors in groups of at least " +
               std::to_string(shape.leastGroup) + " are too few";
    // One call for all: groups of different calls may overlap.
    std::vector<CUdevResource> groups(static_cast<std::size_t>(shares));
    auto count = static_cast<unsigned>(shares);
    CUresult status =
        m_calls->split(groups.data(), &count, &all, nullptr, 0, static_cast<unsigned>(size));
    if (status != CUDA_SUCCESS || count < static_cast<unsigned>(shares))
        return "the driver makes " + std::to_string(status == CUDA_SUCCESS ? count : 0) +
               " groups of " + std::to_string(size) + " multiprocessors";
    m_multiprocessors = static_cast<int>(groups.front().sm.smCount);
    for (CUdevResource& group : groups) {
        CUdevResourceDesc description = nullptr;
        CUgreenCtx context = nullptr;
        status = m_calls->describe(&description, &group, 1);
        if (status == CUDA_SUCCESS)
            status = m_calls->create(&context, description, m_gpu, CU_GREEN_CTX_DEFAULT_STREAM);
        if (status != CUDA_SUCCESS)
            return "a green context cannot be made (error " +
                   std::to_string(static_cast<int>(status)) + " of the driver)";
        m_contexts.push_back(context);
    }
    return {};
}

/// Whether streams of green contexts do here what runs need: work, and events of the primary
/// context recorded and waited for.
std::string GpuShares::tryStreams()
{
    cudaStream_t one = nullptr;
    cudaStream_t other = nullptr;
    try {
        one = makeStream(0, false);
        other = makeStream(static_cast<int>(m_contexts.size()) - 1, false);
    } catch (const DeviceError& failure) {
        return failure.what();
    }
    cudaEvent_t event = nullptr;
    void* memory = nullptr;
    constexpr std::size_t bytes = 4096;
    cudaError_t status = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (status == cudaSuccess)
        status = cudaMalloc(&memory, bytes);
    if (status == cudaSuccess)
        status = cudaMemsetAsync(memory, 0, bytes, one);
    if (status == cudaSuccess)
        status = cudaEventRecord(event, one);
    if (status == cudaSuccess)
        status = cudaStreamWaitEvent(other, event, 0);
    if (status == cudaSuccess)
        status = cudaMemsetAsync(memory, 1, bytes, other);
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(other);
    cudaFree(memory);
    if (event != nullptr)
        cudaEventDestroy(event);
    cudaGetLastError();
    return status == cudaSuccess ? std::string()
                                 : errorText("green contexts do not work with events", status);
}

cudaStream_t GpuShares::makeStream(int share, bool urgent)
{
    int lowest = 0;
    int highest = 0;
    check("cudaDeviceGetStreamPriorityRange", cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    const int priority = urgent ? highest : lowest;
    cudaStream_t stream = nullptr;
    if (m_contexts.empty()) {
        check("cudaStreamCreateWithPriority",
              cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority));
    } else {
        const CUresult status = m_calls->makeStream(
            &stream, m_contexts[static_cast<std::size_t>(share)], CU_STREAM_NON_BLOCKING, priority);
        if (status != CUDA_SUCCESS)
            throw DeviceError("cuGreenCtxStreamCreate: error " +
                              std::to_string(static_cast<int>(status)) + " of the driver");
    }
    m_streams.push_back(stream);
    return stream;
}

void GpuShares::destroyContexts() noexcept
{
    for (cudaStream_t stream : m_streams)
        cudaStreamDestroy(stream);
    m_streams.clear();
    for (CUgreenCtx context : m_contexts)
        m_calls->destroy(context);
    m_contexts.clear();
}

GpuShares::~GpuShares()
{
    destroyContexts();
}

} // namespace pw::exec::cuda
