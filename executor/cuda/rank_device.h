// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/events.h"
#include "executor/cuda/gpu_shares.h"
#include "executor/cuda/rank_memory.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <string_view>

namespace pw::exec::cuda {

/// What a rank has of a GPU: streams, memory, events and a clock. Its tensor operations and its
/// side of the transport share it; the rank's thread alone uses it.
struct RankDevice
{
    /// @pre    called before the run starts, by a thread that may make the GPU its current one
    /// @throws DeviceError
    RankDevice(std::shared_ptr<GpuShares> ofGpu, std::shared_ptr<EventPool> ofEvents,
               const GpuClock& clock, int share);

    /// Makes the GPU the thread's current one; once on every thread.
    /// @throws DeviceError
    void enter() const;
    /// The stream that work goes to now.
    cudaStream_t now() const { return compute[second ? 1 : 0]; }

    std::shared_ptr<GpuShares> gpu;
    std::shared_ptr<EventPool> events;
    std::shared_ptr<RankMemory> memory;
    MarkClock marks;
    cudaStream_t compute[2] = {}; ///< the second for the second pass of a pair
    cudaStream_t link = nullptr;  ///< for messages that come in
    bool second = false;          ///< whether work goes to the second stream
};

/// Waits on the host until a moment has passed.
/// @throws DeviceError  it has not within the limit; says what was waited for
void await(const Event& event, Ticks limit, std::string_view what);

} // namespace pw::exec::cuda
