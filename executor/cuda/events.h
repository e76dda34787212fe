// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "executor/api/transport.h"
#include "executor/api/worker.h"
#include "executor/cuda/block_store.h"
#include "executor/cuda/cuda_error.h"

#include <cuda_runtime_api.h>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace pw::exec::cuda {

/// A CUDA event that goes back to where it came from when nobody holds it any more.
class Event final : public Moment
{
public:
    explicit Event(cudaEvent_t handle)
        : m_handle(handle)
    {
    }
    cudaEvent_t handle() const { return m_handle; }
    /// Whether the device has come to it; a device that failed never waits again, so: yes.
    bool passed() const override { return !notReady(cudaEventQuery(m_handle)); }

private:
    cudaEvent_t m_handle;
};

/// Events of one GPU, made once and used again. Any thread.
class EventPool : public std::enable_shared_from_this<EventPool>
{
public:
    enum class Kind : bool
    {
        Order, ///< cheaper, without a time
        Timed
    };

    explicit EventPool(int gpu)
        : m_gpu(gpu)
    {
    }
    ~EventPool();
    EventPool(const EventPool&) = delete;
    EventPool& operator=(const EventPool&) = delete;

    /// An event at the end of what the stream has to do now.
    /// @pre    the GPU is the thread's current one
    /// @throws DeviceError
    std::shared_ptr<Event> record(cudaStream_t stream, Kind kind = Kind::Order);

    int gpu() const { return m_gpu; }

private:
    cudaEvent_t take(Kind kind);
    void putBack(cudaEvent_t event, Kind kind);

    int m_gpu;
    std::mutex m_mutex;
    std::vector<cudaEvent_t> m_free[2]; ///< by kind
};

/// Makes a stream wait for an event, on the device. Nothing for none.
/// @throws DeviceError
void waitFor(cudaStream_t stream, const std::shared_ptr<Moment>& moment);

/// Ties the time of a GPU's events to the run's clock: one event that all marks of the GPU are
/// measured against.
struct GpuClock
{
    std::shared_ptr<Event> base;
    Ticks time = 0;        ///< of the base, on the run's clock
    Ticks uncertainty = 0; ///< the base lies this close to it
};

/// Records the base of a GPU and waits for it: before a run starts, never after.
/// @throws DeviceError
GpuClock alignClock(EventPool& events, cudaStream_t stream, const RunClock& clock);

/// The marks of a rank: timed events, and their times once they have passed. One thread.
class MarkClock
{
public:
    MarkClock(std::shared_ptr<EventPool> events, GpuClock clock);

    Mark mark(cudaStream_t stream);
    /// @throws DeviceError  the device has failed
    std::optional<Ticks> time(Mark mark);

private:
    struct Entry
    {
        std::shared_ptr<Event> event; ///< until the time is known
        Ticks time = 0;
    };

    std::shared_ptr<EventPool> m_events;
    GpuClock m_clock;
    std::int64_t m_first = 0; ///< number of the first entry
    std::deque<Entry> m_entries;
};

} // namespace pw::exec::cuda
