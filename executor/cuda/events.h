// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "executor/api/transport.h"
#include "executor/api/worker.h"
#include "executor/cuda/block_store.h"
#include "executor/cuda/clock_reading.h"
#include "executor/cuda/cuda_error.h"
#include "executor/cuda/device_wait.h"

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

/// Waits on the host until a moment has passed.
/// @throws DeviceError  stopped, or not within the limit; says what was waited for
void await(const Event& event, const DeviceWait& wait, std::string_view what);

/// Makes a stream wait for an event, on the device. Nothing for none.
/// @throws DeviceError
void waitFor(cudaStream_t stream, const std::shared_ptr<Moment>& moment);

/// Ties the time of a GPU's events to the run's clock: one event that the marks of all ranks on the
/// GPU are measured against.
struct GpuClock
{
    std::shared_ptr<Event> base;
    ClockReading reading; ///< of the base
};

/// Records a base and waits for it, some times over; the best is kept.
/// @throws DeviceError
GpuClock alignClock(EventPool& events, cudaStream_t stream, const RunClock& clock,
                    const DeviceWait& wait);

/// The time of a GPU, aligned again at every iteration, since its clock and the host's drift apart.
/// Any thread.
class GpuTime
{
public:
    /// @param clock  outlives the object
    GpuTime(std::shared_ptr<EventPool> events, const RunClock& clock)
        : m_events(std::move(events))
        , m_clock(clock)
    {
    }

    /// The base of an iteration, the same for all ranks on the GPU: the first that asks records it
    /// on its stream. Where the GPU was busy meanwhile, the last one goes on.
    /// @throws DeviceError
    GpuClock at(int iteration, cudaStream_t stream, const DeviceWait& wait);

private:
    std::shared_ptr<EventPool> m_events;
    const RunClock& m_clock;
    std::mutex m_mutex;
    std::optional<int> m_iteration; ///< that the base is of; guarded
    GpuClock m_now;                 ///< guarded
};

/// The marks of a rank: timed events, and their times once they have passed. One thread.
class MarkClock
{
public:
    explicit MarkClock(std::shared_ptr<EventPool> events);

    /// Marks whose times are not known yet are measured against this base from now on.
    void setBase(GpuClock clock) { m_clock = std::move(clock); }
    Mark mark(cudaStream_t stream);
    /// @pre    there is a base
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
