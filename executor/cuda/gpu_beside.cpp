// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/gpu_beside.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/gpu_list.h"
#include "executor/cuda/nvml_api.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <exception>
#include <utility>

namespace pw::exec::cuda {

namespace {

/// None where the GPU does not answer: whoever uses it next hears why.
Bytes freeIfTold(int gpu) noexcept
{
    try {
        return freeBytes(gpu);
    } catch (const std::exception&) {
        return 0;
    }
}

} // namespace

GpuBeside::GpuBeside(int gpu, int ranks)
    : m_gpu(gpu)
    , m_ranks(ranks)
{
    const GpuIdentity identity = identityOf(gpu);
    const std::optional<Bytes> before = usedBytes(identity);
    check("cudaSetDevice", cudaSetDevice(gpu));
    check("cudaFree", cudaFree(nullptr)); // makes the primary context
    const std::optional<Bytes> now = usedBytes(identity);
    if (before && now)
        m_context = std::max<Bytes>(*now - *before, 0);
    m_freeAtStart = freeBytes(gpu);
    m_memory.contexts = m_context;
}

void GpuBeside::count(Part part, Bytes before, Bytes reservedBefore, Bytes reservedNow)
{
    const Bytes gone = before - freeBytes(m_gpu) - (reservedNow - reservedBefore);
    const std::lock_guard lock(m_mutex);
    m_memory.*part += gone;
}

void GpuBeside::beginGraph() noexcept
{
    const std::lock_guard lock(m_mutex);
    if (m_making++ == 0)
        m_freeBefore = freeIfTold(m_gpu);
}

void GpuBeside::endGraph() noexcept
{
    constexpr Bytes most = Bytes{48} << 20; // less than a rank takes at a time
    const std::lock_guard lock(m_mutex);
    ++m_made;
    if (--m_making > 0)
        return;
    const Bytes gone = m_freeBefore - freeIfTold(m_gpu);
    const int made = std::exchange(m_made, 0);
    if (gone > 0 && gone <= made * most)
        m_memory.workspaces += gone;
}

void GpuBeside::beginRun()
{
    const std::lock_guard lock(m_mutex);
    m_memory.reserved = m_memory.books = 0;
    m_ended = 0;
}

GpuReading GpuBeside::read(Ticks now) const
{
    GpuReading reading = readGpu(identityOf(m_gpu));
    reading.gpu = m_gpu;
    reading.ranks = m_ranks;
    reading.time = now;
    return reading;
}

std::optional<GpuReading> GpuBeside::atStart(RankId rank, int share, Ticks now)
{
    if (share != 0)
        return std::nullopt;
    GpuReading reading = read(now);
    reading.rank = rank;
    const std::lock_guard lock(m_mutex);
    m_first = rank;
    return reading;
}

std::optional<GpuReading> GpuBeside::atEnd(RankId rank, int share, Ticks now, Bytes reserved,
                                           Bytes books)
{
    {
        const std::lock_guard lock(m_mutex);
        if (share == 0)
            m_first = rank;
        m_memory.reserved += reserved;
        m_memory.books += books;
        if (++m_ended < m_ranks)
            return std::nullopt;
        m_ended = 0;
    }
    GpuReading reading = read(now);
    const Bytes free = freeBytes(m_gpu);
    const std::lock_guard lock(m_mutex);
    reading.atEnd = true;
    reading.rank = m_first;
    reading.memory = m_memory;
    reading.memory.taken = m_freeAtStart + m_context - free;
    return reading;
}

} // namespace pw::exec::cuda
