// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/block_store.h"
#include "executor/cuda/events.h"
#include "executor/model/memory_ledger.h"

#include <cuda_runtime_api.h>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace pw::exec::cuda {

/// The device memory of a rank, counted by use.
///
/// Memory of messages passes between streams, and between ranks; all other belongs to the rank's
/// computing. After the first iterations the driver is not asked any more. All calls come from the
/// rank's thread but `giveBackFromAfar`.
class RankMemory : public std::enable_shared_from_this<RankMemory>
{
public:
    /// @param gpu  current in the threads that call
    RankMemory(int gpu, Bytes limit, std::shared_ptr<EventPool> events);

    /// Memory for work that is enqueued on `stream` from now on.
    /// @throws DeviceError  the device is full
    void* take(Bytes bytes, MemoryUse use, cudaStream_t stream);
    /// Takes memory back that work enqueued on `stream` so far still uses.
    void release(void* data, Bytes bytes, MemoryUse use, cudaStream_t stream) noexcept;
    /// The same for a message that another rank has read, from its thread: free once `after` has
    /// passed.
    void giveBackFromAfar(void* data, Bytes bytes, std::shared_ptr<Moment> after) noexcept;

    /// Between these two calls passes run on two streams: what one lets go waits for the other's
    /// end.
    void fork() { m_forked = true; }
    void join() noexcept;

    /// Takes memory of the driver before it is needed: `bytes` for computing, and `count` blocks of
    /// `messageBytes`. What the device has not is left out.
    void reserve(Bytes bytes);
    void reserveMessages(Bytes messageBytes, int count);
    /// From now on nothing goes back to the driver, which would wait for the whole device and so
    /// for kernels that wait for another rank.
    void keep() { m_kept = true; }
    /// A run has ended and another one begins: the driver may be asked again, and peaks count anew.
    void beginRun();
    /// The device has not come to an end of its work: what it may still use is not freed.
    void abandon() noexcept { m_driver.lost = true; }

    /// Whether the memory passes between streams: a stream that takes it waits, and one that
    /// releases it marks the end of its use.
    bool passesOn(const void* data) const { return m_parked.owns(data); }
    /// Messages of an iteration lie where those of the last one did, see `ParkedStore`.
    void keepPlaces() { m_parked.keepPlaces(); }
    void beginIteration() { m_parked.beginRound(); }
    /// What is to be done before memory goes back to the driver; may throw DeviceError.
    void beforeGivingBack(std::function<void()> what) { m_beforeGivingBack = std::move(what); }

    void relabel(Bytes bytes, MemoryUse from, MemoryUse to) { m_ledger.relabel(bytes, from, to); }
    MemoryNow now();
    MemoryNow takePeaks();
    /// The most that was in use at a time, of all uses, in this run.
    Bytes peak() const { return m_ledger.peakTotal(); }
    /// Taken from the driver, in use or not.
    Bytes reserved() const { return m_slabs.reserved() + m_parked.reserved(); }
    /// Calls of the driver for memory so far.
    int growths() const { return m_driver.calls; }

private:
    struct Driver final : BlockSource
    {
        void* take(Bytes bytes) override;
        void giveBack(void* data) noexcept override;
        int calls = 0;
        bool lost = false; ///< nothing is freed
    };
    struct FromAfar
    {
        void* data;
        Bytes bytes;
        std::shared_ptr<Moment> after;
    };

    void trim();
    void* tryTake(Bytes bytes, MemoryUse use, cudaStream_t stream);
    void collect();

    int m_gpu;
    std::shared_ptr<EventPool> m_events;
    MemoryLedger m_ledger;
    Driver m_driver;
    SlabStore m_slabs{m_driver};
    ParkedStore m_parked{m_driver};
    std::function<void()> m_beforeGivingBack;
    bool m_forked = false;
    bool m_kept = false;
    std::vector<void*> m_untilJoin;
    std::mutex m_mutex;
    std::vector<FromAfar> m_fromAfar; ///< guarded by m_mutex
};

/// Memory of a message until somebody else holds it: goes back where its owner leaves early.
class HeldMessage
{
public:
    /// @throws DeviceError
    HeldMessage(RankMemory& memory, Bytes bytes, cudaStream_t stream)
        : m_memory(memory)
        , m_bytes(bytes)
        , m_stream(stream)
        , m_data(memory.take(bytes, MemoryUse::Messages, stream))
    {
    }
    ~HeldMessage()
    {
        if (m_data != nullptr)
            m_memory.release(m_data, m_bytes, MemoryUse::Messages, m_stream);
    }
    HeldMessage(const HeldMessage&) = delete;
    HeldMessage& operator=(const HeldMessage&) = delete;

    void* data() const { return m_data; }
    void* surrender() { return std::exchange(m_data, nullptr); }

private:
    RankMemory& m_memory;
    Bytes m_bytes;
    cudaStream_t m_stream;
    void* m_data;
};

/// Device memory on its way from one rank to another.
class DevicePayload final : public Payload
{
public:
    /// @param ready  when the memory holds the result
    DevicePayload(std::shared_ptr<RankMemory> memory, void* data, Bytes bytes,
                  std::shared_ptr<Event> ready)
        : m_memory(std::move(memory))
        , m_data(data)
        , m_bytes(bytes)
        , m_ready(std::move(ready))
    {
    }
    ~DevicePayload() override;
    DevicePayload(const DevicePayload&) = delete;
    DevicePayload& operator=(const DevicePayload&) = delete;

    Bytes bytes() const override { return m_bytes; }
    const RankMemory* owner() const { return m_memory.get(); }
    void* data() const { return m_data; }
    const std::shared_ptr<Event>& ready() const { return m_ready; }
    /// The memory is read until then by somebody else than its owner.
    void setReadUntil(std::shared_ptr<Event> moment) { m_readUntil = std::move(moment); }
    /// Gives the memory to the rank it belongs to.
    void* surrender() { return std::exchange(m_data, nullptr); }

private:
    std::shared_ptr<RankMemory> m_memory;
    void* m_data;
    Bytes m_bytes;
    std::shared_ptr<Event> m_ready;
    std::shared_ptr<Event> m_readUntil;
};

} // namespace pw::exec::cuda
