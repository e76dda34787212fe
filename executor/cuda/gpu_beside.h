// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/gpu_reading.h"

#include <mutex>
#include <optional>
#include <vector>

namespace pw::exec::cuda {

/// What a GPU says of itself beside the runs of a process, and where its memory goes. Shared by the
/// ranks on it; any thread.
class GpuBeside
{
public:
    /// Makes the GPU's primary context, and the calling thread's current one.
    /// @throws DeviceError
    GpuBeside(int gpu, int ranks);

    /// Bytes that were free when there was nothing of ours but the primary context.
    Bytes freeAtStart() const { return m_freeAtStart; }

    /// A part of the memory whose bytes are not of the ranks.
    using Part = Bytes GpuMemory::*;
    /// What has gone since `before` was free is of this part, less what ranks took for themselves.
    /// @param before  free bytes, and what the ranks had then
    void count(Part part, Bytes before, Bytes reservedBefore, Bytes reservedNow);
    /// A rank makes a graph: what goes meanwhile is of the workspaces, once, however many ranks
    /// make graphs at that time. They may also take or give back memory of their own: what no graph
    /// needs is not counted.
    void beginGraph() noexcept;
    void endGraph() noexcept;

    /// A rank is ready to begin: the first of the GPU's gets a reading, once a run.
    std::optional<GpuReading> atStart(RankId rank, int share, Ticks now);
    /// A rank has ended its last iteration: the last of them gets a reading.
    /// @param reserved, books  of the rank's memory, see `GpuMemory`
    std::optional<GpuReading> atEnd(RankId rank, int share, Ticks now, Bytes reserved, Bytes books);
    /// A run begins; one that failed may have left counts.
    void beginRun();

private:
    GpuReading read(Ticks now) const;

    const int m_gpu;
    const int m_ranks;
    Bytes m_freeAtStart = 0;
    Bytes m_context = 0; ///< of the primary context, where it is known
    std::mutex m_mutex;  ///< of all below
    GpuMemory m_memory;
    RankId m_first{0};      ///< of the ranks of the run
    int m_ended = 0;        ///< ranks of the run
    int m_making = 0;       ///< ranks that make a graph now
    int m_made = 0;         ///< graphs since there was no such rank
    Bytes m_freeBefore = 0; ///< … and what was free then
};

} // namespace pw::exec::cuda
