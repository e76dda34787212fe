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
    , m_share(share)
{
    enter();
    compute[0] = gpu->makeStream(share, false);
    compute[1] = gpu->makeStream(share, false);
    link = gpu->makeStream(share, true);
    for (cudaStream_t stream : {compute[0], compute[1], link})
        watch(this, stream);
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
    marks.setBase(time->at(iteration, compute[0], wait(limit)));
}

void RankDevice::awaitEnd(Ticks limit) const
{
    const auto done = [](cudaStream_t one) { return !notReady(cudaStreamQuery(one)); };
    const auto copied = [&] {
        return !hasHostLink() || (done(m_hostLink->there()) && done(m_hostLink->back()));
    };
    pollUntil([&] { return done(compute[0]) && done(compute[1]) && copied(); }, {nullptr, limit},
              "the end of the work");
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
