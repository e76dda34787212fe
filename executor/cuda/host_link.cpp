// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/host_link.h"

#include "executor/cuda/cuda_error.h"

#include <string>
#include <utility>
#include <vector>

namespace pw::exec::cuda {

namespace {

std::shared_ptr<Moment> endOf(const HostTransfer& transfer)
{
    return std::static_pointer_cast<Event>(transfer.done);
}

} // namespace

void* HostLink::Pinned::take(Bytes bytes)
{
    void* data = nullptr;
    const cudaError_t status =
        cudaHostAlloc(&data, static_cast<std::size_t>(bytes), cudaHostAllocDefault);
    if (status == cudaSuccess)
        return data;
    cudaGetLastError();
    if (status == cudaErrorMemoryAllocation)
        return nullptr;
    check("cudaHostAlloc", status);
    return nullptr;
}

void HostLink::Pinned::giveBack(void* data) noexcept
{
    if (!lost)
        cudaFreeHost(data);
}

HostLink::HostLink(std::shared_ptr<EventPool> events, MarkClock& marks, cudaStream_t there,
                   cudaStream_t back)
    : m_events(std::move(events))
    , m_marks(marks)
    , m_there(there)
    , m_back(back)
{
}

void HostLink::reserve(Bytes bytes, int count)
{
    std::vector<void*> taken;
    for (int i = 0; i < count; ++i) {
        if (void* const data = m_blocks.take(bytes).data; data != nullptr)
            taken.push_back(data);
    }
    for (void* data : taken)
        m_blocks.put(data, nullptr);
}

void* HostLink::take(Bytes bytes)
{
    const ParkedStore::Taken taken = m_blocks.take(bytes);
    if (taken.data == nullptr)
        throw DeviceError("out of memory: the host of GPU " + std::to_string(m_events->gpu()) +
                          " has no " + std::to_string(bytes) +
                          " bytes more that the GPU could copy an activation to");
    // The copy back that still reads it ends before one there writes it.
    waitFor(m_there, taken.after);
    return taken.data;
}

void HostLink::put(void* data, const HostTransfer& after) noexcept
{
    m_blocks.put(data, endOf(after));
}

HostTransfer HostLink::copy(std::span<const HostPiece> pieces, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    HostTransfer transfer;
    transfer.start = m_marks.mark(stream);
    for (const HostPiece& piece : pieces) {
        const bool there = kind == cudaMemcpyDeviceToHost;
        void* const to = there ? static_cast<void*>(piece.host) : piece.device;
        const void* const from = there ? piece.device : static_cast<const void*>(piece.host);
        check("cudaMemcpyAsync",
              cudaMemcpyAsync(to, from, static_cast<std::size_t>(piece.bytes), kind, stream));
    }
    transfer.end = m_marks.mark(stream);
    transfer.done = m_events->record(stream);
    return transfer;
}

HostTransfer HostLink::copyThere(std::span<const HostPiece> pieces, cudaStream_t compute)
{
    waitFor(m_there, m_events->record(compute));
    return copy(pieces, cudaMemcpyDeviceToHost, m_there);
}

HostTransfer HostLink::copyBack(std::span<const HostPiece> pieces, const HostTransfer& there,
                                const HostTransfer* emptied, cudaStream_t compute)
{
    waitFor(m_back, m_events->record(compute));
    cuda::waitFor(m_back, there);
    if (emptied != nullptr)
        cuda::waitFor(m_back, *emptied);
    return copy(pieces, cudaMemcpyHostToDevice, m_back);
}

void waitFor(cudaStream_t stream, const HostTransfer& transfer)
{
    waitFor(stream, endOf(transfer));
}

} // namespace pw::exec::cuda
