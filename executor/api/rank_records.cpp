// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/rank_runner.h"

// What a rank records, once the device has come to it.

namespace pw::exec {

/// A copy between the device and its host, which goes on beside the passes.
Result<void> RankRunner::moveToHost(const Instruction& instruction)
{
    const HostMove& move = m_plan.program.moves[static_cast<std::size_t>(instruction.index)];
    m_position.enterEntry(move.needed, single(move.cell));
    if (const Result<void> done = m_worker->move(move, instruction.kind); !done)
        return m_position.named(done.error());
    noteCopies();
    return {};
}

void RankRunner::noteCopies()
{
    for (const Copied& copied : m_worker->takeCopies()) {
        Pending pending;
        pending.start = copied.start;
        pending.end = copied.end;
        pending.isCopy = true;
        pending.copy = {
            m_position.iteration(), m_rank, copied.cell, copied.back, copied.bytes, 0, 0};
        m_pending.push_back(pending);
    }
}

void RankRunner::noteGpus()
{
    for (const GpuReading& reading : m_worker->takeGpuReadings()) {
        m_records.gpus.add(reading);
        if (const std::optional<Sentence> trouble = gpuMemoryTrouble(reading))
            m_records.logs.add(
                {m_shared.clock.now(), RankId::none(), LogLevel::Warning, trouble->english()});
    }
}

void RankRunner::drain()
{
    if (!m_early.empty())
        return; // what becomes of them is not known yet
    Ticks start = 0;
    Ticks end = 0;
    while (!m_pending.empty() && resolved(m_pending.front(), start, end)) {
        write(m_pending.front(), start, end);
        m_pending.pop_front();
    }
}

bool RankRunner::resolved(const Pending& pending, Ticks& start, Ticks& end)
{
    start = pending.message.started;
    end = pending.message.ended;
    if (pending.isMessage && pending.end.value < 0)
        return true;
    const std::optional<Ticks> ended = m_worker->time(pending.end);
    const std::optional<Ticks> started =
        ended && pending.start.value >= 0 ? m_worker->time(pending.start) : start;
    if (!ended || !started)
        return false;
    start = *started;
    end = *ended;
    return true;
}

void RankRunner::write(const Pending& pending, Ticks start, Ticks end)
{
    if (pending.isMessage) {
        RecordedMessage record = pending.message;
        record.started = start;
        record.ended = end;
        m_records.messages.add(record);
        return;
    }
    if (pending.isCopy) {
        RecordedCopy record = pending.copy;
        record.start = start;
        record.end = end;
        m_records.copies.add(record);
        return;
    }
    RecordedPass record = pending.pass;
    record.start = start;
    record.end = end;
    m_records.passes.add(record);
    if (pending.entry.paired) {
        record.pass = pending.entry.partner;
        m_records.passes.add(record);
    }
    write(pending.atStart, record.iteration, start);
    if (pending.within)
        write(*pending.within, record.iteration, start);
    write(pending.atEnd, record.iteration, end);
}

void RankRunner::write(const MemoryNow& memory, std::int32_t iteration, Ticks time)
{
    if (m_lastMemory == memory)
        return;
    m_lastMemory = memory;
    m_records.memory.add({iteration, m_rank, time, memory});
}

} // namespace pw::exec
