// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/rank_runner.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "executor/api/poll_pause.h"

#include <new>
#include <utility>

namespace pw::exec {

RankRunner::RankRunner(RunShared& shared, RankId rank, std::unique_ptr<Endpoint> endpoint)
    : m_shared(shared)
    , m_position(shared, rank)
    , m_endpoint(std::move(endpoint))
{
}

void RankRunner::run() noexcept
{
    // What is said of a failure takes memory, too, and may find none.
    try {
        runAndReport();
    } catch (...) {
        m_shared.exhaust(rank());
    }
    try {
        close();
    } catch (...) {
        // The run is over; what a device says while it is closed changes nothing.
    }
    m_ended.store(true, std::memory_order_release);
    {
        const std::lock_guard lock(m_shared.mutex);
        --m_shared.running;
    }
    m_shared.changed.notify_all();
}

void RankRunner::notBegun()
{
    const std::lock_guard lock(m_shared.mutex);
    m_ended.store(true, std::memory_order_release);
    --m_shared.running;
}

void RankRunner::runAndReport()
{
    try {
        if (const Result<void> done = runAll(); !done)
            report(done.error());
    } catch (const std::bad_alloc&) {
        report(Error{ErrorCode::Fault, said("%1: out of memory", m_position.what())});
    } catch (const std::exception& failure) {
        report(Error{ErrorCode::Fault, said("%1: %2", m_position.what(), failure.what())});
    } catch (...) {
        report(Error{ErrorCode::Fault,
                     said("%1: an exception of an unknown kind", m_position.what())});
    }
}

void RankRunner::report(const Error& error)
{
    m_shared.fault(m_position.faultOf(error), error.code, m_position.failsWaiting(error.code));
}

Result<void> RankRunner::runAll()
{
    PW_DO(begin());
    const RunPlan& plan = m_shared.plan;
    for (int iteration = -plan.warmup; iteration < plan.iterations; ++iteration)
        PW_DO(iterate(iteration));
    return finish();
}

Result<void> RankRunner::begin()
{
    Result<std::unique_ptr<Worker>> worker = m_shared.workers(rank(), m_shared.clock);
    if (!worker)
        return m_position.named(worker.error());
    m_worker = std::move(*worker);
    m_worker->setStop(m_shared.ended);
    if (auto begun = m_worker->begin(); !begun)
        return m_position.named(begun.error());
    m_recorder = std::make_unique<RankRecorder>(m_shared, m_position, *m_worker, m_records);
    m_recorder->addGpuReadings();
    m_program = std::make_unique<ProgramFollower>(m_shared, m_position, *m_worker, *m_endpoint,
                                                  *m_recorder);
    return {};
}

Result<void> RankRunner::iterate(int iteration)
{
    m_position.enterIteration(iteration);
    PW_DO(m_endpoint->barrier(m_position.patience()));
    if (auto begun = m_worker->beginIteration(iteration); !begun)
        return m_position.named(begun.error());
    PW_DO(m_program->iterate());
    return finishIteration();
}

/// Waits until the device has come to everything that it was told in this iteration.
Result<void> RankRunner::finishIteration()
{
    m_position.enterIterationEnd();
    m_recorder->addLosses();
    Ticks progress = m_shared.clock.now();
    for (int turn = 0;; ++turn) {
        const std::size_t left = m_recorder->pending();
        m_recorder->flush();
        if (m_recorder->pending() == 0)
            return {};
        const Ticks now = m_shared.clock.now();
        if (m_recorder->pending() < left)
            progress = now;
        if (const OrderEntry* next = m_recorder->firstPending())
            m_position.atEntry(*next);
        if (auto fine = m_worker->health(); !fine)
            return m_position.named(fine.error());
        PW_DO(m_position.checkEnded());
        if (now - progress >= m_shared.patience)
            return fail(ErrorCode::Fault, "%1: the device has not ended it after %2",
                        m_position.what(), timeText(now - progress));
        pollPause(turn);
    }
}

Result<void> RankRunner::finish()
{
    m_position.enter(placeEnd);
    PW_DO(m_endpoint->barrier(m_position.patience()));
    if (auto ended = m_worker->end(); !ended)
        return m_position.named(ended.error());
    m_recorder->addGpuReadings();
    m_program->logSummary();
    for (std::string& note : m_worker->notes())
        m_recorder->log(std::move(note));
    return {};
}

void RankRunner::close()
{
    if (m_shared.ended.requested())
        m_endpoint->abort();
    m_program.reset();
    m_recorder.reset();
    m_worker.reset();
    m_endpoint.reset();
}

} // namespace pw::exec
