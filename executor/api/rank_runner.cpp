// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/rank_runner.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "executor/api/poll_pause.h"

#include <new>

namespace pw::exec {

RankRunner::RankRunner(RunShared& shared, RankId rank, std::unique_ptr<Endpoint> endpoint)
    : m_shared(shared)
    , m_plan(shared.plan)
    , m_rank(rank)
    , m_position(shared, rank)
    , m_committed(shared.plan.schedule.spec().messages == MessageRule::Committed)
    , m_endpoint(std::move(endpoint))
    , m_faults(shared, rank)
{
}

void RankRunner::run() noexcept
{
    // What is said of a failure takes memory, too, and may find none.
    try {
        runAndReport();
    } catch (...) {
        m_shared.exhaust(m_rank);
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

void RankRunner::close()
{
    if (m_shared.ended.requested())
        m_endpoint->abort();
    m_worker.reset();
    m_endpoint.reset();
}

void RankRunner::report(const Error& error)
{
    m_shared.fault(m_position.faultOf(error), error.code, m_position.failsWaiting(error.code));
}

Result<void> RankRunner::runAll()
{
    if (auto begun = begin(); !begun)
        return begun;
    for (int iteration = -m_plan.warmup; iteration < m_plan.iterations; ++iteration) {
        if (auto done = iterate(iteration); !done)
            return done;
    }
    return finish();
}

Result<void> RankRunner::begin()
{
    Result<std::unique_ptr<Worker>> worker = m_shared.workers(m_rank, m_shared.clock);
    if (!worker)
        return m_position.named(worker.error());
    m_worker = std::move(*worker);
    m_recorder.emplace(m_shared, m_position, *m_worker, m_records);
    m_passes.emplace(m_position, *m_worker, m_faults, *m_recorder);
    m_messages.emplace(m_plan, m_position, *m_worker, *m_endpoint, m_faults, *m_recorder);
    m_replicas.emplace(m_plan, m_position, *m_worker, *m_endpoint, *m_recorder);
    m_early.emplace(m_position, *m_worker, *m_passes, *m_messages, *m_recorder);
    m_clipping.emplace(m_shared, m_position, *m_worker, *m_endpoint, *m_messages, *m_replicas,
                       *m_early);
    m_worker->setStop(m_shared.ended);
    if (auto begun = m_worker->begin(); !begun)
        return m_position.named(begun.error());
    m_recorder->addGpuReadings();
    return m_plan.hint > 0 ? prepareHint() : Result<void>();
}

Result<void> RankRunner::iterate(int iteration)
{
    m_position.enterIteration(iteration);
    if (auto met = m_endpoint->barrier(m_position.patience()); !met)
        return met;
    if (auto begun = m_worker->beginIteration(iteration); !begun)
        return m_position.named(begun.error());
    m_clipping->beginIteration();
    if (auto done = instructions(); !done)
        return done;
    if (!m_plan.schedule.spec().updates) {
        if (auto done = updates(); !done)
            return done;
    }
    PW_DO(m_clipping->finishIteration());
    return settle();
}

Result<void> RankRunner::instructions()
{
    if (m_hint)
        return instructionsByHint();
    const auto& all = m_plan.program.ranks[static_cast<std::size_t>(m_rank)];
    for (std::size_t i = 0; i < all.size();) {
        const Instruction& instruction = all[i];
        Result<void> done;
        std::size_t next = i + 1;
        switch (instruction.kind) {
        case InstructionKind::Compute:
            done = computeInTurn(EntryId(instruction.index));
            break;
        case InstructionKind::Reduce:
            done = reduce(instruction.index);
            break;
        case InstructionKind::Send:
        case InstructionKind::Receive:
            while (next < all.size() && (all[next].kind == InstructionKind::Send ||
                                         all[next].kind == InstructionKind::Receive))
                ++next;
            done = meet(i, next);
            break;
        case InstructionKind::Stow:
        case InstructionKind::Free:
        case InstructionKind::Fetch:
            done = m_passes->move(m_plan.program.moves[static_cast<std::size_t>(instruction.index)],
                                  instruction.kind);
            break;
        }
        if (!done)
            return done;
        PW_DO(m_position.checkEnded());
        i = next;
    }
    return {};
}

Result<void> RankRunner::handOver(std::int32_t index)
{
    const Message& message = m_plan.program.messages[static_cast<std::size_t>(index)];
    return m_early->send(message.producer, index);
}

Result<void> RankRunner::receive(std::int32_t index)
{
    PW_TRY(Arrival arrival, m_messages->wait(index));
    PW_DO(m_clipping->confirm(index, arrival));
    m_position.endWait();
    return m_messages->accept(index, std::move(arrival));
}

Result<void> RankRunner::compute(EntryId index, const OrderEntry& entry)
{
    m_position.enterEntry(index, entry);
    std::int32_t input = -1;
    if (!m_committed && index.valid()) {
        for (const std::int32_t message : m_messages->inputsOf(index)) {
            if (message < 0)
                continue;
            if (m_clipping->isOpen()) {
                PW_DO(m_clipping->waitForInputOrNorm(message));
                m_position.enterEntry(index, entry);
                input = message;
            }
            PW_DO(receive(message));
        }
    }
    if (m_clipping->isOpen() && entry.pass.kind != PassKind::U)
        m_early->add(index, entry, input);
    return m_passes->run(index, entry);
}

/// Waits until the device has come to everything that it was told in this iteration.
Result<void> RankRunner::settle()
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
        if (const OrderEntry* first = m_recorder->firstPending())
            m_position.atEntry(*first);
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
    if (auto met = m_endpoint->barrier(m_position.patience()); !met)
        return met;
    if (auto ended = m_worker->end(); !ended)
        return m_position.named(ended.error());
    m_recorder->addGpuReadings();
    if (std::optional<std::string> note = m_clipping->note())
        m_recorder->log(std::move(*note));
    noteHint();
    for (std::string& note : m_worker->notes())
        m_recorder->log(std::move(note));
    return {};
}

} // namespace pw::exec
