// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/staging.h"

#include "executor/cuda/cuda_error.h"

#include <algorithm>
#include <cstring>

namespace pw::exec::cuda {

Staging::Staging(RankDevice& device)
    : m_device(device)
{
    void* memory = nullptr;
    check("cudaHostAlloc", cudaHostAlloc(&memory, placeBytes * placeCount, cudaHostAllocDefault));
    m_memory = static_cast<std::byte*>(memory);
}

Staging::~Staging()
{
    cudaFreeHost(m_memory);
}

void Staging::upload(void* to, const void* host, Bytes bytes, Ticks patience)
{
    // Large ones too go by way of the places: a copy from ordinary memory may still read it when
    // its call has returned.
    cudaStream_t const stream = m_device.now();
    auto left = static_cast<std::size_t>(std::max(bytes, Bytes{0}));
    auto* target = static_cast<std::byte*>(to);
    const auto* from = static_cast<const std::byte*>(host);
    while (left > 0) {
        const std::size_t size = std::min(left, placeBytes);
        std::shared_ptr<Event>& read = m_read[m_next];
        if (read != nullptr)
            await(*read, m_device.wait(patience), "an upload");
        std::byte* const place = m_memory + m_next * placeBytes;
        std::memcpy(place, from, size);
        check("cudaMemcpyAsync",
              cudaMemcpyAsync(target, place, size, cudaMemcpyHostToDevice, stream));
        read = m_device.events->record(stream);
        m_next = (m_next + 1) % placeCount;
        target += size;
        from += size;
        left -= size;
    }
}

void download(RankDevice& device, void* host, const void* from, Bytes bytes, Ticks patience)
{
    if (bytes <= 0)
        return;
    // The copy into ordinary memory blocks without a limit: it starts when nothing is left to wait
    // for.
    const DeviceWait wait = device.wait(patience);
    cudaStream_t const stream = device.now();
    await(*device.events->record(stream), wait, "the work before a download");
    check("cudaMemcpyAsync", cudaMemcpyAsync(host, from, static_cast<std::size_t>(bytes),
                                             cudaMemcpyDeviceToHost, stream));
    await(*device.events->record(stream), wait, "a download");
}

} // namespace pw::exec::cuda
