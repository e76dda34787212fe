// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/cupti.h"
#include "tests/gpu_stand_in/graphs.h"
#include "tests/gpu_stand_in/machine.h"
#include "tests/gpu_stand_in/nvml.h"

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

// CUDA's runtime. Arguments that CUDA refuses are refused as it does; what it would take and get
// wrong later ends the process.
struct CUevent_st
{
    /// What was recorded last: a wait holds on to it when another follows.
    struct Record
    {
        bool passed = false;
        double milliseconds = 0;
        int stream = 0;
        int device = 0;
        std::uint64_t at = 0;              ///< in its stream
        int asked = 0;                     ///< threads that wait for an answer
        std::condition_variable changed{}; ///< for those

        std::string where() const
        {
            return "the event at place " + std::to_string(at) + " of stream " +
                   std::to_string(stream) + " of GPU " + std::to_string(device);
        }
    };
    int device = 0;
    bool timed = false;
    std::shared_ptr<Record> last{};
};

namespace pw::gpu {

namespace {

thread_local int current = 0;
thread_local cudaError_t lastError = cudaSuccess;

Machine& machine()
{
    return Machine::one();
}

bool isDevice(int device)
{
    return device >= 0 && device < machine().devices();
}

} // namespace

cudaError_t told(cudaError_t error)
{
    if (error != cudaSuccess)
        lastError = error;
    return error;
}

int currentDevice()
{
    return current;
}

int deviceOf(cudaStream_t stream)
{
    return machine().streamOf(stream, current)->device;
}

cudaError_t enqueueAnywhere(cudaStream_t stream, Work work)
{
    CUstream_st& on = *machine().streamOf(stream, current);
    if (capturing(on))
        return keep(on, std::move(work));
    tellOf(work);
    machine().enqueue(on, std::move(work));
    return cudaSuccess;
}

cudaError_t enqueue(cudaStream_t stream, Work work)
{
    const int device = deviceOf(stream);
    if (device != current) {
        std::fprintf(stderr, "stand-in GPU: %s on a stream of GPU %d while GPU %d is current\n",
                     work.what, device, current);
        return told(cudaErrorInvalidResourceHandle);
    }
    return enqueueAnywhere(stream, std::move(work));
}

void launch(const char* kernel, dim3 grid, dim3 block, std::size_t sharedBytes, cudaStream_t stream,
            std::function<void()> thread)
{
    constexpr unsigned mostThreads = 1024;
    constexpr unsigned mostX = 0x7fffffff;
    constexpr unsigned mostYZ = 65535;
    constexpr std::size_t mostShared = 48 << 10;
    const auto outside = [](unsigned value, unsigned most) { return value == 0 || value > most; };
    if (outside(grid.x, mostX) || outside(grid.y, mostYZ) || outside(grid.z, mostYZ) ||
        outside(block.x, mostThreads) || outside(block.y, mostThreads) || outside(block.z, 64) ||
        block.x * block.y * block.z > mostThreads || sharedBytes > mostShared) {
        std::fprintf(stderr, "stand-in GPU: %s<<<(%u, %u, %u), (%u, %u, %u), %zu>>> is no launch\n",
                     kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, sharedBytes);
        told(cudaErrorInvalidConfiguration);
        return;
    }
    enqueue(stream, {kernel, {}, [kernel, grid, block, thread = std::move(thread)] {
                         runKernel(kernel, grid, block, thread);
                     }});
}

namespace {

/// Where a copy or a fill goes: nothing beyond a block.
bool reaches(const void* memory, std::size_t bytes, bool mustBeDevice, const char* call)
{
    const int owner = machine().ownerOf(memory, bytes, call);
    return !mustBeDevice || owner >= 0;
}

} // namespace

} // namespace pw::gpu

using namespace pw::gpu;

extern "C" {

cudaError_t cudaGetLastError()
{
    const cudaError_t error = lastError;
    lastError = cudaSuccess;
    return error;
}

cudaError_t cudaDriverGetVersion(int* version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count)
{
    *count = machine().devices();
    return *count > 0 ? cudaSuccess : told(cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device)
{
    if (!isDevice(device))
        return told(cudaErrorInvalidDevice);
    current = device;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device)
{
    *device = current;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    if (!isDevice(device))
        return told(cudaErrorInvalidDevice);
    *properties = {};
    std::snprintf(properties->name, sizeof(properties->name), "stand-in GPU %d", device);
    properties->uuid.bytes[0] = static_cast<char>(device + 1);
    properties->totalGlobalMem = machine().whole();
    properties->major = 9;
    properties->multiProcessorCount = 132;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device)
{
    if (!isDevice(device))
        return told(cudaErrorInvalidDevice);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    *value = which == cudaDevAttrMultiProcessorCount      ? properties.multiProcessorCount
             : which == cudaDevAttrComputeCapabilityMajor ? properties.major
                                                          : properties.minor;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel)
{
    if (kernel == nullptr)
        return told(cudaErrorInvalidValue);
    attributes->ptxVersion = 90;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer)
{
    *can = isDevice(device) && isDevice(peer) && device != peer ? 1 : 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned)
{
    static std::mutex guard;
    static std::set<std::pair<int, int>> open;
    const std::lock_guard lock(guard);
    if (!isDevice(peer) || peer == current)
        return told(cudaErrorInvalidDevice);
    return open.insert({current, peer}).second ? cudaSuccess
                                               : told(cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* whole)
{
    *available = machine().available(current) - pw::gpu::takenByOthers();
    *whole = machine().whole();
    return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    if (const cudaError_t refused = refusedInCapture("cudaMalloc"); refused != cudaSuccess)
        return refused;
    *memory = machine().take(bytes, current);
    return *memory != nullptr ? cudaSuccess : told(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void* memory)
{
    if (const cudaError_t refused = refusedInCapture("cudaFree"); refused != cudaSuccess)
        return refused;
    if (memory != nullptr)
        machine().giveBack(memory, false, "cudaFree");
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned)
{
    if (const cudaError_t refused = refusedInCapture("cudaHostAlloc"); refused != cudaSuccess)
        return refused;
    *memory = machine().take(bytes, Machine::pinned);
    return *memory != nullptr ? cudaSuccess : told(cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void* memory)
{
    if (const cudaError_t refused = refusedInCapture("cudaFreeHost"); refused != cudaSuccess)
        return refused;
    if (memory != nullptr)
        machine().giveBack(memory, true, "cudaFreeHost");
    return cudaSuccess;
}

// Does not wait for streams that do not block: what they write may still be on its way.
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)
{
    if (const cudaError_t refused = refusedInCapture("cudaMemcpy"); refused != cudaSuccess)
        return refused;
    if (!reaches(to, bytes, kind == cudaMemcpyHostToDevice, "cudaMemcpy") ||
        !reaches(from, bytes, kind == cudaMemcpyDeviceToHost, "cudaMemcpy"))
        return told(cudaErrorInvalidValue);
    std::memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const char* const call = "cudaMemcpyAsync";
    const bool both = kind == cudaMemcpyDeviceToDevice;
    if (!reaches(to, bytes, both || kind == cudaMemcpyHostToDevice, call) ||
        !reaches(from, bytes, both || kind == cudaMemcpyDeviceToHost, call))
        return told(cudaErrorInvalidValue);
    Work copy{"a copy"};
    copy.copied = kind;
    const bool ordinary = machine().ownerOf(from, bytes, call) == Machine::nowhere ||
                          machine().ownerOf(to, bytes, call) == Machine::nowhere;
    if (ordinary && capturing())
        return refusedInCapture("a copy from or to ordinary memory");
    if (machine().ownerOf(from, bytes, call) == Machine::nowhere) {
        // Ordinary memory has been read when the call returns.
        const auto* const first = static_cast<const std::byte*>(from);
        auto held = std::make_shared<std::vector<std::byte>>(first, first + bytes);
        copy.run = [to, bytes, held = std::move(held)] { std::memcpy(to, held->data(), bytes); };
        return enqueueAnywhere(stream, std::move(copy));
    }
    copy.run = [=] { std::memmove(to, from, bytes); };
    if (const cudaError_t given = enqueueAnywhere(stream, std::move(copy)); given != cudaSuccess)
        return given;
    if (machine().ownerOf(to, bytes, call) == Machine::nowhere)
        machine().awaitStream(*machine().streamOf(stream, current),
                              call); // to ordinary memory: the call waits
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream)
{
    if (!reaches(memory, bytes, true, "cudaMemsetAsync"))
        return told(cudaErrorInvalidValue);
    return enqueueAnywhere(stream, {"a fill", {}, [=] { std::memset(memory, value, bytes); }});
}

cudaError_t cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream)
{
    const std::size_t bytes = height == 0 ? 0 : (height - 1) * pitch + width;
    if (width > pitch || !reaches(memory, bytes, true, "cudaMemset2DAsync"))
        return told(cudaErrorInvalidValue);
    return enqueueAnywhere(
        stream, {"a fill", {}, [=] {
                     for (std::size_t row = 0; row < height; ++row)
                         std::memset(static_cast<std::byte*>(memory) + row * pitch, value, width);
                 }});
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int)
{
    if (const cudaError_t refused = refusedInCapture("cudaStreamCreateWithPriority");
        refused != cudaSuccess)
        return refused;
    *stream = machine().makeStream(current);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    machine().dropStream(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    if (const cudaError_t refused = refusedInCapture("cudaStreamQuery"); refused != cudaSuccess)
        return refused;
    return machine().idle(*machine().streamOf(stream, current)) ? cudaSuccess
                                                                : told(cudaErrorNotReady);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
{
    *event = new CUevent_st{current, (flags & cudaEventDisableTiming) == 0};
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    CUstream_st& on = *machine().streamOf(stream, current);
    if (capturing(on)) // CUDA would make it part of the graph
        return refusedInCapture("cudaEventRecord");
    if (on.device != event->device) {
        std::fprintf(stderr, "stand-in GPU: an event of GPU %d recorded on a stream of GPU %d\n",
                     event->device, on.device);
        return told(cudaErrorInvalidResourceHandle);
    }
    auto record = std::make_shared<CUevent_st::Record>();
    record->stream = on.number;
    record->device = on.device;
    record->at = on.given;
    {
        const std::lock_guard lock(machine().mutex());
        event->last = record;
    }
    return enqueueAnywhere(stream, {"an event", {}, [record] {
                                        const auto now = Clock::now().time_since_epoch();
                                        const std::lock_guard lock(machine().mutex());
                                        record->milliseconds =
                                            std::chrono::duration<double, std::milli>(now).count();
                                        record->passed = true;
                                        if (record->asked > 0)
                                            record->changed.notify_all();
                                    }});
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (const cudaError_t refused = refusedInCapture("cudaEventQuery"); refused != cudaSuccess)
        return refused;
    // Who asks again and again takes the time that the device needs to get on: from the second
    // time on the answer waits for it a while.
    constexpr std::chrono::microseconds late{1000};
    thread_local const void* last = nullptr;
    std::unique_lock lock(machine().mutex());
    const std::shared_ptr<CUevent_st::Record> record = event->last;
    if (record == nullptr || record->passed)
        return cudaSuccess;
    if (std::exchange(last, record.get()) != record.get())
        return told(cudaErrorNotReady);
    ++record->asked;
    record->changed.wait_for(lock, late, [&record] { return record->passed; });
    --record->asked;
    return record->passed ? cudaSuccess : told(cudaErrorNotReady);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    if (capturing(*machine().streamOf(stream, current)))
        return refusedInCapture("cudaStreamWaitEvent", cudaErrorStreamCaptureIsolation);
    std::shared_ptr<CUevent_st::Record> record;
    {
        const std::lock_guard lock(machine().mutex());
        record = event->last;
    }
    if (record == nullptr)
        return cudaSuccess;
    return enqueueAnywhere(
        stream,
        {"a wait", [record] { return record->passed; }, {}, [record] { return record->where(); }});
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    const std::lock_guard lock(machine().mutex());
    if (!from->timed || !to->timed || from->device != to->device || from->last == nullptr ||
        to->last == nullptr)
        return told(cudaErrorInvalidResourceHandle);
    if (!from->last->passed || !to->last->passed)
        return told(cudaErrorNotReady);
    *milliseconds = static_cast<float>(to->last->milliseconds - from->last->milliseconds);
    return cudaSuccess;
}

} // extern "C"
