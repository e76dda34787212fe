// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/rank_memory.h"

#include "executor/cuda/cuda_error.h"

#include <utility>

namespace pw::exec::cuda {

void* RankMemory::Driver::take(Bytes bytes)
{
    ++calls;
    void* data = nullptr;
    const cudaError_t status = cudaMalloc(&data, static_cast<std::size_t>(bytes));
    if (status == cudaSuccess)
        return data;
    cudaGetLastError();
    if (status == cudaErrorMemoryAllocation)
        return nullptr;
    check("cudaMalloc", status);
    return nullptr;
}

void RankMemory::Driver::giveBack(void* data) noexcept
{
    if (!lost)
        cudaFree(data); // waits for the device; where that has failed, its memory is gone anyway
}

RankMemory::RankMemory(int gpu, Bytes limit, std::shared_ptr<EventPool> events)
    : m_gpu(gpu)
    , m_events(std::move(events))
    , m_ledger(limit)
{
}

void* RankMemory::tryTake(Bytes bytes, MemoryUse use, cudaStream_t stream)
{
    if (use != MemoryUse::Messages)
        return m_slabs.take(bytes);
    const ParkedStore::Taken taken = m_parked.take(bytes);
    if (taken.data != nullptr)
        waitFor(stream, taken.after);
    return taken.data;
}

void* RankMemory::take(Bytes bytes, MemoryUse use, cudaStream_t stream)
{
    collect();
    m_ledger.take(bytes, use);
    void* data = tryTake(bytes, use, stream);
    if (data == nullptr && !m_kept) {
        // What lies idle may be of use elsewhere. The driver waits for the device here.
        trim();
        m_parked.trim();
        data = tryTake(bytes, use, stream);
    }
    if (data != nullptr)
        return data;
    m_ledger.giveBack(bytes, use);
    std::size_t free = 0;
    std::size_t whole = 0;
    check("cudaMemGetInfo", cudaMemGetInfo(&free, &whole));
    m_ledger.refuse(bytes, use, static_cast<Bytes>(free),
                    "GPU " + std::to_string(m_gpu) + " has free");
}

void RankMemory::trim()
{
    if (m_beforeGivingBack)
        m_beforeGivingBack();
    m_slabs.trim();
}

void RankMemory::beginRun()
{
    m_kept = false;
    join();
    static_cast<void>(takePeaks());
    m_ledger.restartPeak();
}

void RankMemory::reserve(Bytes bytes)
{
    // What another plan has left and is too small would only stand beside it.
    if (m_slabs.largestFree() < blockBytes(bytes))
        trim();
    if (void* const data = m_slabs.take(bytes); data != nullptr)
        m_slabs.put(data);
}

void RankMemory::reserveMessages(Bytes messageBytes, int count)
{
    std::vector<void*> taken;
    for (int i = 0; i < count; ++i) {
        const ParkedStore::Taken one = m_parked.take(messageBytes);
        if (one.data != nullptr)
            taken.push_back(one.data);
    }
    for (void* data : taken)
        m_parked.put(data, nullptr);
}

void RankMemory::release(void* data, Bytes bytes, MemoryUse use, cudaStream_t stream) noexcept
{
    m_ledger.giveBack(bytes, use);
    if (m_parked.owns(data)) {
        try {
            m_parked.put(data, m_events->record(stream));
        } catch (const std::exception&) {
            m_parked.put(data, nullptr); // the device has failed: nothing runs there any more
        }
    } else if (m_forked) {
        m_untilJoin.push_back(data);
    } else {
        m_slabs.put(data);
    }
}

void RankMemory::join() noexcept
{
    m_forked = false;
    for (void* data : m_untilJoin)
        m_slabs.put(data);
    m_untilJoin.clear();
}

void RankMemory::giveBackFromAfar(void* data, Bytes bytes, std::shared_ptr<Moment> after) noexcept
{
    const std::lock_guard lock(m_mutex);
    m_fromAfar.push_back({data, bytes, std::move(after)});
}

void RankMemory::collect()
{
    std::vector<FromAfar> back;
    {
        const std::lock_guard lock(m_mutex);
        back.swap(m_fromAfar);
    }
    for (FromAfar& one : back) {
        m_ledger.giveBack(one.bytes, MemoryUse::Messages);
        m_parked.put(one.data, std::move(one.after));
    }
}

MemoryNow RankMemory::now()
{
    collect();
    return m_ledger.now();
}

MemoryNow RankMemory::takePeaks()
{
    collect();
    return m_ledger.takePeaks();
}

DevicePayload::~DevicePayload()
{
    if (m_data == nullptr)
        return;
    // Unread memory is written until it is ready.
    m_memory->giveBackFromAfar(m_data, m_bytes, m_readUntil ? m_readUntil : m_ready);
}

} // namespace pw::exec::cuda
