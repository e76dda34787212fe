// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/events.h"

#include "core/base/assert.h"
#include "executor/model/ops.h"

#include <cmath>

namespace pw::exec::cuda {

namespace {

/// Times between events are 32-bit milliseconds: after this long the latest event becomes the base,
/// so that a time stays good to a tenth of a microsecond however long a run lasts.
constexpr Ticks newBaseAfter = 500 * ticksPerMs;

/// Marks whose times may still be asked for.
constexpr std::size_t keptMarks = std::size_t{1} << 20;

Ticks elapsed(const Event& from, const Event& to)
{
    float milliseconds = 0;
    check("cudaEventElapsedTime", cudaEventElapsedTime(&milliseconds, from.handle(), to.handle()));
    return std::llround(static_cast<double>(milliseconds) * 1e6);
}

} // namespace

EventPool::~EventPool()
{
    for (const auto& events : m_free) {
        for (cudaEvent_t event : events)
            cudaEventDestroy(event);
    }
}

cudaEvent_t EventPool::take(Kind kind)
{
    {
        const std::lock_guard lock(m_mutex);
        auto& free = m_free[static_cast<std::size_t>(kind)];
        if (!free.empty()) {
            cudaEvent_t event = free.back();
            free.pop_back();
            return event;
        }
    }
    cudaEvent_t event = nullptr;
    check("cudaEventCreate",
          cudaEventCreateWithFlags(&event, kind == Kind::Timed ? cudaEventDefault
                                                               : cudaEventDisableTiming));
    return event;
}

void EventPool::putBack(cudaEvent_t event, Kind kind)
{
    const std::lock_guard lock(m_mutex);
    m_free[static_cast<std::size_t>(kind)].push_back(event);
}

std::shared_ptr<Event> EventPool::record(cudaStream_t stream, Kind kind)
{
    std::shared_ptr<Event> event(new Event(take(kind)),
                                 [pool = shared_from_this(), kind](Event* gone) {
                                     pool->putBack(gone->handle(), kind);
                                     delete gone;
                                 });
    check("cudaEventRecord", cudaEventRecord(event->handle(), stream));
    return event;
}

void waitFor(cudaStream_t stream, const std::shared_ptr<Moment>& moment)
{
    if (moment == nullptr)
        return;
    const auto& event = static_cast<const Event&>(*moment);
    check("cudaStreamWaitEvent", cudaStreamWaitEvent(stream, event.handle(), 0));
}

GpuClock alignClock(EventPool& events, cudaStream_t stream, const RunClock& clock,
                    const DeviceWait& wait)
{
    // The device passes the event between the two readings; the closest of some tries is kept.
    constexpr int tries = 8;
    GpuClock best;
    for (int i = 0; i < tries; ++i) {
        const Ticks before = clock.now();
        std::shared_ptr<Event> event = events.record(stream, EventPool::Kind::Timed);
        await(*event, wait, "the alignment of the clocks");
        const Ticks after = clock.now();
        const ClockReading reading{before + (after - before) / 2, (after - before + 1) / 2};
        if (best.base == nullptr || reading.uncertainty < best.reading.uncertainty)
            best = {std::move(event), reading};
    }
    return best;
}

GpuClock GpuTime::at(int iteration, cudaStream_t stream, const DeviceWait& wait)
{
    const std::lock_guard lock(m_mutex);
    if (m_iteration == iteration)
        return m_now;
    GpuClock fresh = alignClock(*m_events, stream, m_clock, wait);
    if (m_now.base == nullptr || saysMore(fresh.reading, m_now.reading))
        m_now = std::move(fresh);
    m_iteration = iteration;
    return m_now;
}

void await(const Event& event, const DeviceWait& wait, std::string_view what)
{
    pollUntil(
        [&event] {
            const cudaError_t status = cudaEventQuery(event.handle());
            if (status != cudaSuccess && !notReady(status))
                check("cudaEventQuery", status);
            return status == cudaSuccess;
        },
        wait, what);
}

MarkClock::MarkClock(std::shared_ptr<EventPool> events)
    : m_events(std::move(events))
{
}

Mark MarkClock::mark(cudaStream_t stream)
{
    m_entries.push_back({m_events->record(stream, EventPool::Kind::Timed), 0});
    if (m_entries.size() > keptMarks) {
        m_entries.pop_front();
        ++m_first;
    }
    return {m_first + static_cast<std::int64_t>(m_entries.size()) - 1};
}

std::optional<Ticks> MarkClock::time(Mark mark)
{
    const std::int64_t at = mark.value - m_first;
    PW_ASSERT(at >= 0 && at < static_cast<std::int64_t>(m_entries.size()));
    Entry& entry = m_entries[static_cast<std::size_t>(at)];
    if (entry.event == nullptr)
        return entry.time;
    const cudaError_t status = cudaEventQuery(entry.event->handle());
    if (notReady(status))
        return std::nullopt;
    check("cudaEventQuery", status);
    const ClockReading& base = m_clock.reading;
    const Ticks since = elapsed(*m_clock.base, *entry.event);
    entry.time = base.time + since;
    if (since > newBaseAfter)
        m_clock = {entry.event, {entry.time, base.uncertainty + clockDrift(since)}};
    entry.event.reset();
    return entry.time;
}

} // namespace pw::exec::cuda
