// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/rank_device.h"

#include "executor/cuda/cuda_error.h"
#include "executor/model/ops.h"

#include <chrono>
#include <string>
#include <thread>

namespace pw::exec::cuda {

RankDevice::RankDevice(std::shared_ptr<GpuShares> ofGpu, std::shared_ptr<EventPool> ofEvents,
                       const GpuClock& clock, int share)
    : gpu(std::move(ofGpu))
    , events(std::move(ofEvents))
    , memory(std::make_shared<RankMemory>(gpu->gpu(), 0, events))
    , marks(events, clock)
{
    enter();
    compute[0] = gpu->makeStream(share, false);
    compute[1] = gpu->makeStream(share, false);
    link = gpu->makeStream(share, true);
}

void RankDevice::enter() const
{
    check("cudaSetDevice", cudaSetDevice(gpu->gpu()));
}

void await(const Event& event, Ticks limit, std::string_view what)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds spinning{100};
    constexpr std::chrono::microseconds pause{20};
    const Clock::time_point begun = Clock::now();
    while (true) {
        const cudaError_t status = cudaEventQuery(event.handle());
        if (status == cudaSuccess)
            return;
        if (!notReady(status))
            check("cudaEventQuery", status);
        const auto waited = Clock::now() - begun;
        if (waited > std::chrono::nanoseconds(limit))
            throw DeviceError("the device has not come to " + std::string(what) + " within " +
                              std::to_string(limit / ticksPerMs) + " ms");
        if (waited > spinning)
            std::this_thread::sleep_for(pause);
    }
}

} // namespace pw::exec::cuda
