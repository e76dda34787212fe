// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/rank_device.h"

#include "executor/cuda/cuda_error.h"

#include <algorithm>
#include <string>

namespace pw::exec::cuda {

RankDevice::RankDevice(std::shared_ptr<GpuShares> ofGpu, std::shared_ptr<EventPool> ofEvents,
                       std::shared_ptr<GpuTime> ofTime, int share)
    : gpu(std::move(ofGpu))
    , events(std::move(ofEvents))
    , time(std::move(ofTime))
    , memory(std::make_shared<RankMemory>(gpu->gpu(), 0, events))
    , marks(events)
    , launches(events, graphsWanted())
    , m_share(share)
{
    enter();
    m_compute[0] = gpu->makeStream(share, false);
    m_compute[1] = gpu->makeStream(share, false);
    link = gpu->makeStream(share, true);
    for (cudaStream_t stream : {m_compute[0], m_compute[1], link})
        watch(this, stream);
    launches.goOn(m_compute[0]);
    if (!launches.graphs())
        return;
    // Graphs know memory by its address: the next iteration's messages lie where those of the last
    // one did, and what was noted comes before memory goes back to the driver.
    memory->keepPlaces();
    memory->beforeGivingBack([this] { launches.forget(); });
    launches.whenMade([this] { gpu->beside().beginGraph(); }, [this] { gpu->beside().endGraph(); });
}

HostLink& RankDevice::hostLink()
{
    if (m_hostLink == nullptr) {
        cudaStream_t const there = gpu->makeStream(m_share, true);
        cudaStream_t const back = gpu->makeStream(m_share, true);
        m_hostLink = std::make_unique<HostLink>(events, marks, there, back);
        watch(this, there);
        watch(this, back);
    }
    return *m_hostLink;
}

void RankDevice::enter() const
{
    check("cudaSetDevice", cudaSetDevice(gpu->gpu()));
}

void RankDevice::beginIteration(int iteration, Ticks limit)
{
    memory->beginIteration();
    marks.setBase(time->at(iteration, compute(), wait(limit)));
}

void RankDevice::awaitEnd(Ticks limit)
{
    launches.flush();
    const auto done = [](cudaStream_t one) { return !notReady(cudaStreamQuery(one)); };
    const auto copied = [&] {
        return !hasHostLink() || (done(m_hostLink->there()) && done(m_hostLink->back()));
    };
    pollUntil([&] { return done(m_compute[0]) && done(m_compute[1]) && copied(); },
              {nullptr, limit}, "the end of the work");
}

void RankDevice::watch(const void* owner, cudaStream_t stream)
{
    watch(owner, [stream, number = gpu->gpu()]() -> Result<void> {
        const cudaError_t status = cudaStreamQuery(stream);
        if (status == cudaSuccess || notReady(status))
            return {};
        return fail(ErrorCode::Fault, "GPU %1: %2", number, errorText("a kernel or copy", status));
    });
}

void RankDevice::forget(const void* owner) noexcept
{
    m_looks.erase(std::remove_if(m_looks.begin(), m_looks.end(),
                                 [owner](const Watched& one) { return one.owner == owner; }),
                  m_looks.end());
}

Result<void> RankDevice::health() const
{
    for (const Watched& one : m_looks) {
        if (Result<void> good = one.look(); !good)
            return good;
    }
    return {};
}

} // namespace pw::exec::cuda
