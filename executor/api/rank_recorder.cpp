// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/rank_recorder.h"

#include <utility>

namespace pw::exec {

RankRecorder::RankRecorder(const RunShared& shared, const RankPosition& position, Worker& worker,
                           RankRecords& records)
    : m_shared(shared)
    , m_position(position)
    , m_worker(worker)
    , m_records(records)
{
}

void RankRecorder::addPass(EntryId index, const OrderEntry& entry, const Computed& computed)
{
    Pending pending;
    pending.start = computed.start;
    pending.end = computed.end;
    pending.entry = entry;
    pending.pass = {m_position.iteration(), m_position.rank(), index, entry.pass, 0, 0};
    pending.atStart = computed.atStart;
    pending.within = computed.within;
    pending.atEnd = computed.atEnd;
    m_pending.push_back(pending);
}

void RankRecorder::addMessage(std::int32_t message, RankId from, const Pass& producer,
                              PassKind consumer, const Arrival& arrival)
{
    Pending pending;
    pending.isMessage = true;
    pending.start = arrival.start;
    pending.end = arrival.end;
    RecordedMessage& record = pending.message;
    record.iteration = m_position.iteration();
    record.message = message;
    record.from = from;
    record.to = m_position.rank();
    record.producer = producer;
    record.posted = arrival.posted;
    record.started = arrival.startTime;
    record.ended = arrival.endTime;
    // Of a modelled result only a part travels.
    const RunPlan& plan = m_shared.plan;
    if (arrival.packet.due > 0)
        record.bytes = messageBytes(plan.costs, plan.schedule.spec(), producer, consumer);
    else if (arrival.packet.payload)
        record.bytes = arrival.packet.payload->bytes();
    m_pending.push_back(pending);
}

void RankRecorder::addCopies()
{
    for (const Copied& copied : m_worker.takeCopies()) {
        Pending pending;
        pending.start = copied.start;
        pending.end = copied.end;
        pending.isCopy = true;
        pending.copy = {m_position.iteration(),
                        m_position.rank(),
                        copied.cell,
                        copied.back,
                        copied.bytes,
                        0,
                        0};
        m_pending.push_back(pending);
    }
}

void RankRecorder::addGpuReadings()
{
    for (const GpuReading& reading : m_worker.takeGpuReadings()) {
        m_records.gpus.add(reading);
        if (const std::optional<Sentence> trouble = gpuMemoryTrouble(reading))
            m_records.logs.add(
                {m_shared.clock.now(), RankId::none(), LogLevel::Warning, trouble->english()});
    }
}

void RankRecorder::addLosses()
{
    for (const MicroBatchLoss& loss : m_worker.takeLosses())
        m_records.losses.add({m_position.iteration(), loss});
}

void RankRecorder::log(std::string text)
{
    m_records.logs.add({m_shared.clock.now(), m_position.rank(), LogLevel::Info, std::move(text)});
}

void RankRecorder::flush()
{
    if (m_heldBack)
        return; // what becomes of them is not known yet
    Ticks start = 0;
    Ticks end = 0;
    while (!m_pending.empty() && resolved(m_pending.front(), start, end)) {
        write(m_pending.front(), start, end);
        m_pending.pop_front();
    }
}

void RankRecorder::dropMessage(std::int32_t message)
{
    std::erase_if(m_pending, [message](const Pending& pending) {
        return pending.isMessage && pending.message.message == message;
    });
}

void RankRecorder::markInVain(EntryId index)
{
    for (Pending& pending : m_pending) {
        if (pending.isPass() && pending.pass.entry == index)
            pending.pass.entry = EntryId::none();
    }
}

const OrderEntry* RankRecorder::firstPending() const
{
    if (m_pending.empty() || !m_pending.front().isPass())
        return nullptr;
    return &m_pending.front().entry;
}

bool RankRecorder::resolved(const Pending& pending, Ticks& start, Ticks& end)
{
    start = pending.message.started;
    end = pending.message.ended;
    if (pending.isMessage && pending.end.value < 0)
        return true;
    const std::optional<Ticks> ended = m_worker.time(pending.end);
    const std::optional<Ticks> started =
        ended && pending.start.value >= 0 ? m_worker.time(pending.start) : start;
    if (!ended || !started)
        return false;
    start = *started;
    end = *ended;
    return true;
}

void RankRecorder::write(const Pending& pending, Ticks start, Ticks end)
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
    writeMemory(pending.atStart, record.iteration, start);
    if (pending.within)
        writeMemory(*pending.within, record.iteration, start);
    writeMemory(pending.atEnd, record.iteration, end);
}

void RankRecorder::writeMemory(const MemoryNow& memory, std::int32_t iteration, Ticks time)
{
    if (m_lastMemory == memory)
        return;
    m_lastMemory = memory;
    m_records.memory.add({iteration, m_position.rank(), time, memory});
}

} // namespace pw::exec
