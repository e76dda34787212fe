// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/graphs.h"

#include "tests/gpu_stand_in/cupti.h"

#include <cstdio>
#include <utility>

// Captures and graphs. What a graph has to do is put into its stream in one go, work by work, so
// that other streams come in between.
struct CUgraph_st
{
    int device = 0;
    std::vector<pw::gpu::Work> works{};
};

struct CUgraphExec_st
{
    int device = 0;
    std::vector<pw::gpu::Work> works{};
    int underWay = 0; ///< launches; of the machine's lock
};

namespace pw::gpu {

namespace {

/// What PW_FAKE_GRAPHS asks for.
enum Way
{
    NoCapture = 0,
    Ordinary = 1,
    BrokenCapture = 2,
    NoMemory = 3
};

int way()
{
    return setting("PW_FAKE_GRAPHS", Ordinary);
}

/// What a thread captures: one stream at a time.
struct Capture
{
    CUstream_st* stream = nullptr;
    bool broken = false;
    std::vector<Work> works{};
};
thread_local Capture now;

Machine& machine()
{
    return Machine::one();
}

} // namespace

bool capturing()
{
    return now.stream != nullptr;
}

bool capturing(const CUstream_st& stream)
{
    if (stream.captured && now.stream != &stream)
        stop("work on a stream that another thread captures");
    return now.stream == &stream;
}

cudaError_t keep(const CUstream_st&, Work work)
{
    constexpr std::size_t soon = 2;
    callOfThread();
    if (way() == BrokenCapture && now.works.size() == soon)
        now.broken = true;
    if (now.broken)
        return told(cudaErrorStreamCaptureInvalidated);
    now.works.push_back(std::move(work));
    return cudaSuccess;
}

cudaError_t refusedInCapture(const char* call, cudaError_t error)
{
    if (now.stream == nullptr)
        return cudaSuccess;
    std::fprintf(stderr, "stand-in GPU: %s while a stream is captured\n", call);
    now.broken = true;
    return told(error);
}

} // namespace pw::gpu

using namespace pw::gpu;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    if (stream == nullptr || capturing() || stream->captured)
        return told(cudaErrorStreamCaptureUnsupported);
    if (mode != cudaStreamCaptureModeThreadLocal)
        stop("a capture that keeps other threads from calling the driver");
    if (way() == NoCapture)
        return told(cudaErrorNotSupported);
    stream->captured = true;
    now = {stream};
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    *graph = nullptr;
    if (stream == nullptr || now.stream != stream)
        return told(cudaErrorInvalidValue);
    stream->captured = false;
    Capture ended = std::exchange(now, {});
    if (ended.broken)
        return told(cudaErrorStreamCaptureInvalidated);
    *graph = new CUgraph_st{stream->device, std::move(ended.works)};
    machine().countGraphs(1);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long)
{
    if (way() == NoMemory)
        return told(cudaErrorMemoryAllocation);
    *executable = new CUgraphExec_st{graph->device, graph->works};
    machine().countGraphs(1);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    CUstream_st& on = *machine().streamOf(stream, currentDevice());
    if (const cudaError_t refused = refusedInCapture("cudaGraphLaunch"); refused != cudaSuccess)
        return refused;
    if (on.device != executable->device)
        return told(cudaErrorInvalidValue);
    const std::uint32_t call = callOfThread();
    std::vector<Work> works = executable->works;
    for (Work& work : works)
        tellOf(work, call);
    works.push_back({"the end of a graph", {}, [executable] {
                         const std::lock_guard lock(machine().mutex());
                         --executable->underWay;
                     }});
    {
        const std::lock_guard lock(machine().mutex());
        ++executable->underWay;
    }
    machine().countGraphLaunch();
    machine().enqueue(on, std::move(works));
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    machine().countGraphs(-1);
    delete graph;
    return cudaSuccess;
}

// CUDA would keep it until it has ended; whoever means that does not say so here.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    {
        const std::lock_guard lock(machine().mutex());
        if (executable->underWay > 0)
            stop("cudaGraphExecDestroy of a graph that is under way");
    }
    machine().countGraphs(-1);
    delete executable;
    return cudaSuccess;
}

} // extern "C"
