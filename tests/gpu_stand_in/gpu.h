// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <array>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <functional>
#include <string>

// GPUs that are not there: what executor/cuda calls as CUDA's runtime, driver, cuBLAS and NCCL is
// done by one thread of the host. A stream is a queue, and what its head waits for is a condition;
// of the streams whose head may begin one is drawn at a time, so that every order that a GPU may
// take can come. See tests/gpu/README.md for what can be set.
namespace pw::gpu {

/// One thing that a stream has to do.
struct Work
{
    const char* what = "";
    /// Whether it may begin; none: always. Asked again and again, with the machine's lock held.
    std::function<bool()> ready{};
    std::function<void()> run{};
    /// What it waits for while it may not begin.
    std::function<std::string()> why{};
    cudaMemcpyKind copied = cudaMemcpyDefault; ///< of a copy
};

/// Puts work at the end of a stream; null is the current device's own.
/// @return  cudaErrorInvalidResourceHandle where the stream is another device's than the current
cudaError_t enqueue(cudaStream_t stream, Work work);
/// The same whichever device is current, as copies, events and libraries may.
cudaError_t enqueueAnywhere(cudaStream_t stream, Work work);

/// Launches a kernel; `thread` is what one of its threads does. Shapes that a GPU refuses stay with
/// cudaGetLastError.
void launch(const char* kernel, dim3 grid, dim3 block, std::size_t sharedBytes, cudaStream_t stream,
            std::function<void()> thread);

/// A condition that work waits for has changed.
void wake();
/// Below `below`, of the seed.
unsigned random(unsigned below);
/// Says what is wrong and ends the process: no test may go on from here.
[[noreturn]] void stop(const std::string& what);

int currentDevice();
int deviceOf(cudaStream_t stream);
/// Waits, as a call of the driver that waits for the whole device, until what its streams have to
/// do now is done. Ends the process where that takes too long, and says what waits for what.
void awaitDevice(int device, const char* call);

/// Where the block stands that runs: there is one at a time.
struct Place
{
    uint3 block;
    dim3 blockDim;
    dim3 gridDim;
};
extern Place placeNow;
extern const uint3* threadNow; ///< the one of its threads that runs

/// Waits for all threads of the block, or of the warp.
void meetBlock(const char* file, int line);
unsigned meetWarp(unsigned bits, int distance, const char* file, int line);

/// What a thread shows its warp at once.
using WarpWords = std::array<unsigned, 6>;
/// Shows words to the warp, and waits for all of it.
/// @return  what its threads have shown; until the next meeting
const WarpWords* meetWarp(const WarpWords& words, const char* file, int line);
unsigned laneOfWarp();

/// Begins to copy bytes, or else to make them 0. As the seed has it, they come at once or when the
/// thread waits for them.
void beginCopy(void* to, const void* from, std::size_t bytes, bool whole);
void awaitCopies();

/// Memory of a block for a variable that all its threads share; the first that asks makes it.
void* sharedOfBlock(const void* variable, std::size_t bytes);

/// The variable of a type that a translated kernel declares for itself.
template<typename Variable>
Variable& shared()
{
    static const char identity = 0;
    return *static_cast<Variable*>(sharedOfBlock(&identity, sizeof(Variable)));
}

} // namespace pw::gpu
