// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/cuda/events.h"
#include "executor/cuda/gpu_shares.h"
#include "executor/cuda/host_link.h"
#include "executor/cuda/launches.h"
#include "executor/cuda/rank_memory.h"

#include <cuda_runtime_api.h>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace pw::exec::cuda {

/// How long what closes a device waits for its work, whatever the run's patience: less than the
/// runner gives a rank to end, so that a rank is not left behind for that alone.
constexpr Ticks closingLimit = 1'000 * ticksPerMs;

/// Before the first iteration.
constexpr int noIteration = std::numeric_limits<int>::min();

/// What a rank has of a GPU: streams, memory, events and a clock. Its tensor operations and its
/// side of the transport share it; the rank's thread alone uses it.
struct RankDevice
{
    /// @pre    called before the run starts, by a thread that may make the GPU its current one
    /// @throws DeviceError
    RankDevice(std::shared_ptr<GpuShares> ofGpu, std::shared_ptr<EventPool> ofEvents,
               std::shared_ptr<GpuTime> ofTime, int share);

    /// Its link to the host; made by the first that asks, which may wait for the whole device.
    /// @throws DeviceError
    HostLink& hostLink();
    bool hasHostLink() const { return m_hostLink != nullptr; }

    /// Which part of the GPU is its own.
    int share() const { return m_share; }
    /// Makes the GPU the thread's current one; once on every thread.
    /// @throws DeviceError
    void enter() const;
    /// The stream that computing goes to now, or one of its two, for work that is no launch of
    /// `launches`: it comes after all of those so far.
    /// @throws DeviceError
    cudaStream_t now()
    {
        launches.flush();
        return launches.stream();
    }
    cudaStream_t compute(std::size_t which = 0)
    {
        launches.flush();
        return m_compute[which];
    }
    /// Computing goes to the second stream, for the second pass of a pair, or to the first again.
    /// @throws DeviceError
    bool onSecond() const { return launches.stream() == m_compute[1]; }
    void useSecond(bool second) { launches.goOn(m_compute[second ? 1 : 0]); }

    /// Aligns the clocks: marks from now on are of this iteration.
    /// @throws DeviceError
    void beginIteration(int iteration, Ticks limit);

    /// Waits until streams have nothing left to do.
    /// @throws DeviceError  after `limit`
    void awaitEnd(Ticks limit);
    /// Waits as long as `limit`, and no longer than the run lasts.
    DeviceWait wait(Ticks limit) const { return {stop, limit}; }

    /// Something that can fail by itself, for `health` to look at.
    using Look = std::function<Result<void>()>;
    /// @param owner  says `forget` before it goes
    void watch(const void* owner, Look look) { m_looks.push_back({owner, std::move(look)}); }
    void watch(const void* owner, cudaStream_t stream);
    void forget(const void* owner) noexcept;
    /// From now on the begin of each entry is noted, see `nearly`.
    void noteEntries() { m_notesEntries = true; }
    /// An entry is about to be enqueued.
    /// @throws DeviceError
    void beginEntry()
    {
        if (m_notesEntries)
            m_nearly = events->record(compute());
    }
    /// When the device comes to the last entry that was enqueued: what the next one needs is needed
    /// soon from then on. Null before the first, and where nobody asked for it.
    const std::shared_ptr<Event>& nearly() const { return m_nearly; }
    /// What streams and communicators reported on their own, or good.
    Result<void> health() const;

    std::shared_ptr<GpuShares> gpu;
    std::shared_ptr<EventPool> events;
    std::shared_ptr<GpuTime> time;
    std::shared_ptr<RankMemory> memory;
    MarkClock marks;
    Launches launches;           ///< of computing; who needs its stream otherwise asks `now`
    cudaStream_t link = nullptr; ///< for messages that come in
    const Stop* stop = nullptr;  ///< whose request ends waits: the user's, then the run's own
    Ticks patience = 0;          ///< longest wait of operations, where the host needs numbers

private:
    struct Watched
    {
        const void* owner;
        Look look;
    };

    int m_share;
    cudaStream_t m_compute[2] = {};
    bool m_notesEntries = false;
    std::shared_ptr<Event> m_nearly;
    std::unique_ptr<HostLink> m_hostLink;
    std::vector<Watched> m_looks;
};

} // namespace pw::exec::cuda
