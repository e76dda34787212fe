// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/block_store.h"
#include "executor/cuda/events.h"
#include "executor/model/ops.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <span>

namespace pw::exec::cuda {

/// The link between a rank's GPU and its host: a stream in either direction, which the GPU's copy
/// engines work off beside its kernels, and memory of the host that they reach by themselves.
///
/// Nothing here waits for the device. One thread, the rank's; the GPU is its current one.
class HostLink
{
public:
    /// @param there, back  streams for nothing else
    /// @param marks        of the rank; outlive the object, as do the streams
    HostLink(std::shared_ptr<EventPool> events, MarkClock& marks, cudaStream_t there,
             cudaStream_t back);

    /// Takes memory of the driver before it is needed, which may wait for the whole device: `count`
    /// blocks of `bytes`. What the host has not is left out.
    void reserve(Bytes bytes, int count);
    /// From now on the process keeps its memory: copies that have not ended may still use it.
    void abandon() noexcept { m_pinned.lost = true; }

    /// @throws DeviceError  the host has no more
    void* take(Bytes bytes);
    /// @param after  the copy that is the last to use it
    void put(void* data, const HostTransfer& after) noexcept;

    /// Copies what the work that is on `compute` by now has made.
    /// @throws DeviceError
    HostTransfer copyThere(std::span<const HostPiece> pieces, cudaStream_t compute);
    /// Copies back, after the copy there, and after `emptied` where there is one, into memory that
    /// the work on `compute` has used up to now.
    /// @throws DeviceError
    HostTransfer copyBack(std::span<const HostPiece> pieces, const HostTransfer& there,
                          const HostTransfer* emptied, cudaStream_t compute);

    cudaStream_t there() const { return m_there; }
    cudaStream_t back() const { return m_back; }

private:
    /// Memory of the host that does not move and that the GPU reads and writes.
    struct Pinned final : BlockSource
    {
        void* take(Bytes bytes) override;
        void giveBack(void* data) noexcept override;
        bool lost = false; ///< nothing is freed
    };

    HostTransfer copy(std::span<const HostPiece> pieces, cudaMemcpyKind kind, cudaStream_t stream);

    std::shared_ptr<EventPool> m_events;
    MarkClock& m_marks;
    cudaStream_t m_there;
    cudaStream_t m_back;
    Pinned m_pinned;
    ParkedStore m_blocks{m_pinned};
};

/// Makes work that is enqueued from now on come after a copy. Nothing for one that has no end.
/// @throws DeviceError
void waitFor(cudaStream_t stream, const HostTransfer& transfer);

} // namespace pw::exec::cuda
