// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/gpu_shares.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/events.h"
#include "executor/cuda/gpu_list.h"
#include "executor/cuda/kernels.h"

#include <algorithm>
#include <cstdlib>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <string_view>
#include <utility>

namespace pw::exec::cuda {

namespace {

/// The driver's function of a name as of a CUDA version, or null where the driver is older.
template<typename Function>
void find(Function& function, const char* name, unsigned version)
{
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t status =
        cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found);
#else
    // This runtime asks for functions of its own version: what is younger is not found.
    const cudaError_t status =
        version <= CUDART_VERSION
            ? cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &found)
            : cudaErrorNotSupported;
#endif
    if (status != cudaSuccess || found != cudaDriverEntryPointSuccess)
        address = nullptr;
    function = reinterpret_cast<Function>(address);
}

/// Fewest multiprocessors of a group, and what groups are multiples of.
GpuShape shapeOf(const CUdevResource& all)
{
    GpuShape shape;
    shape.multiprocessors = static_cast<int>(all.sm.smCount);
#if CUDART_VERSION >= 13000
    shape.leastGroup = static_cast<int>(all.sm.minSmPartitionSize);
    shape.alignment = static_cast<int>(all.sm.smCoscheduledAlignment);
    const bool said = shape.alignment > 0; // a driver before 13 does not say
#else
    const bool said = false; // headers before 13 have no place for it
#endif
    if (!said) {
        constexpr int ofHopper = 8;
        shape.alignment = ofHopper;
        shape.leastGroup = ofHopper;
    }
    return shape;
}

/// Device memory and events for a trial; both go with it.
class Trial
{
public:
    static constexpr std::int64_t count = 1024; ///< floats of each array

    explicit Trial(int gpu)
        : m_events(std::make_shared<EventPool>(gpu))
    {
        check("cudaMalloc", cudaMalloc(&m_memory, 2 * bytes));
    }
    ~Trial() { cudaFree(m_memory); }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    /// A kernel on each stream, the second after the first by an event; both add the same numbers.
    /// @throws DeviceError  they did not run, or not in this order, or their times do not compare
    void run(cudaStream_t first, cudaStream_t second)
    {
        constexpr int everyByte = 0x3f; // of floats: a little below 0.75
        float* const in = static_cast<float*>(m_memory);
        float* const sum = in + count;
        const std::shared_ptr<Event> begun = m_events->record(first, EventPool::Kind::Timed);
        check("cudaMemsetAsync", cudaMemsetAsync(in, everyByte, bytes, first));
        check("cudaMemsetAsync", cudaMemsetAsync(sum, 0, bytes, first));
        launchAddFloats(in, sum, count, first);
        checkLaunch("a kernel on a green context's stream");
        waitFor(second, m_events->record(first));
        launchAddFloats(in, sum, count, second);
        checkLaunch("a kernel on a green context's stream");
        const std::shared_ptr<Event> ended = m_events->record(second, EventPool::Kind::Timed);
        constexpr Ticks limit = 10'000 * ticksPerMs;
        await(*ended, {nullptr, limit}, "a kernel on a green context's stream");
        // Ranks that share a GPU measure their events against one that is another rank's.
        float milliseconds = 0;
        check("cudaEventElapsedTime",
              cudaEventElapsedTime(&milliseconds, begun->handle(), ended->handle()));
        float both[2] = {};
        check("cudaMemcpy", cudaMemcpy(&both[0], in, sizeof(float), cudaMemcpyDeviceToHost));
        check("cudaMemcpy",
              cudaMemcpy(&both[1], sum + count - 1, sizeof(float), cudaMemcpyDeviceToHost));
        if (both[1] != 2 * both[0])
            throw DeviceError("kernels on green contexts' streams give " + std::to_string(both[1]) +
                              ", not " + std::to_string(2 * both[0]));
    }

private:
    static constexpr std::size_t bytes = count * sizeof(float);

    std::shared_ptr<EventPool> m_events;
    void* m_memory = nullptr;
};

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
    /// Of CUDA 12.5: headers of 12.4 do not know it.
    CUresult(CUDAAPI* makeStream)(CUstream*, CUgreenCtx, unsigned, int) = nullptr;

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
    , m_beside(gpu, std::max(shares, 1)) // makes the primary context, which green ones need
{
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
    const GpuShape shape = shapeOf(all);
    int size = groupSize(shape, shares);
    if (size == 0)
        return std::to_string(shape.multiprocessors) + " multiprocessors in groups of at least " +
               std::to_string(shape.leastGroup) + " are too few";
    std::vector<CUdevResource> groups(static_cast<std::size_t>(shares));
    unsigned most = 0; // groups that there were, of any size
    for (;;) {
        // One call for all: groups of different calls may overlap.
        auto count = static_cast<unsigned>(shares);
        const CUresult status =
            m_calls->split(groups.data(), &count, &all, nullptr, 0, static_cast<unsigned>(size));
        if (status == CUDA_SUCCESS && count >= static_cast<unsigned>(shares))
            break;
        most = std::max(most, status == CUDA_SUCCESS ? count : 0);
        size = smallerGroup(shape, size);
        if (size == 0)
            return "the driver makes " + std::to_string(most) + " equal groups at most of its " +
                   std::to_string(shape.multiprocessors) + " multiprocessors";
    }
    m_multiprocessors = static_cast<int>(groups.front().sm.smCount);
    for (CUdevResource& group : groups) {
        CUdevResourceDesc description = nullptr;
        CUgreenCtx context = nullptr;
        CUresult status = m_calls->describe(&description, &group, 1);
        if (status == CUDA_SUCCESS)
            status = m_calls->create(&context, description, m_gpu, CU_GREEN_CTX_DEFAULT_STREAM);
        if (status != CUDA_SUCCESS)
            return "a green context cannot be made (error " +
                   std::to_string(static_cast<int>(status)) + " of the driver)";
        m_contexts.push_back(context);
    }
    return {};
}

/// Whether streams of green contexts do here what runs need: kernels, and events of the primary
/// context recorded, waited for and compared.
std::string GpuShares::tryStreams()
{
    try {
        cudaStream_t const one = makeStream(0, false);
        cudaStream_t const other = makeStream(static_cast<int>(m_contexts.size()) - 1, false);
        Trial(m_gpu).run(one, other);
        return {};
    } catch (const DeviceError& failure) {
        cudaGetLastError();
        return "green contexts do not work here: " + std::string(failure.what());
    }
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

std::vector<std::string> openPeers(const std::vector<int>& gpus)
{
    std::vector<std::string> apart;
    for (const int from : gpus) {
        check("cudaSetDevice", cudaSetDevice(from));
        for (const int to : gpus) {
            int reaches = 0;
            if (from != to)
                check("cudaDeviceCanAccessPeer", cudaDeviceCanAccessPeer(&reaches, from, to));
            if (from == to)
                continue;
            cudaError_t status =
                reaches != 0 ? cudaDeviceEnablePeerAccess(to, 0) : cudaErrorPeerAccessUnsupported;
            if (status == cudaErrorPeerAccessAlreadyEnabled)
                status = cudaSuccess;
            cudaGetLastError();
            if (status != cudaSuccess)
                apart.push_back("GPU " + std::to_string(from) +
                                " does not reach the memory of GPU " + std::to_string(to) +
                                ": copies between them go through the host's memory");
        }
    }
    return apart;
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
