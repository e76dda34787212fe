// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/rank_position.h"
#include "executor/api/rank_records.h"
#include "executor/api/transport.h"
#include "executor/api/worker.h"

#include <deque>
#include <optional>
#include <string>

namespace pw::exec {

/// What a rank records, once the device has come to it: adds passes, messages and copies in the
/// order in which the device was told, and writes each to the queues as soon as its times, and
/// those of all before it, are known.
///
/// Called on the rank's thread; the queues are what another thread reads.
class RankRecorder
{
public:
    RankRecorder(const RunShared& shared, const RankPosition& position, Worker& worker,
                 RankRecords& records);

    /// @param index  none: an update that does not stand in the order
    void addPass(EntryId index, const OrderEntry& entry, const Computed& computed);
    /// A result, or another copy's part of a stage, that has come to this rank.
    /// @param message   of the program; −1: an exchange between copies of a stage
    /// @param producer  of an exchange: the update that waits for it
    /// @param consumer  kind of the pass that it is for
    void addMessage(std::int32_t message, RankId from, const Pass& producer, PassKind consumer,
                    const Arrival& arrival);
    /// The copies between device and host that the worker was asked for since the last call.
    void addCopies();
    /// What the rank's GPU says of itself since the last call.
    void addGpuReadings();
    /// The losses of the iteration.
    void addLosses();
    void log(std::string text);

    /// Writes what the device has come to; nothing while it is held back.
    void flush();
    /// What is added from now on may have to be done again.
    void holdBack() { m_heldBack = true; }
    void release() { m_heldBack = false; }
    /// A message was taken in for a forward that is done again: it comes once more.
    void dropMessage(std::int32_t message);
    /// A forward is done again. What was done in vain is no part of the order: the forward that
    /// counts is the second one. Its time is kept, as that of an entry that stands nowhere.
    void markInVain(EntryId index);

    /// What has been added and is not written.
    std::size_t pending() const { return m_pending.size(); }
    /// The entry that the device has to end next; null where it is at something else.
    const OrderEntry* firstPending() const;

private:
    /// An entry, a message or a copy whose times are not known yet.
    struct Pending
    {
        Mark start;
        Mark end;
        bool isMessage = false;
        bool isCopy = false;
        RecordedMessage message;
        RecordedCopy copy;
        OrderEntry entry;
        RecordedPass pass;
        MemoryNow atStart{};
        std::optional<MemoryNow> within{};
        MemoryNow atEnd{};

        bool isPass() const { return !isMessage && !isCopy; }
    };

    bool resolved(const Pending& pending, Ticks& start, Ticks& end);
    void write(const Pending& pending, Ticks start, Ticks end);
    void writeMemory(const MemoryNow& memory, std::int32_t iteration, Ticks time);

    const RunShared& m_shared;
    const RankPosition& m_position;
    Worker& m_worker;
    RankRecords& m_records;
    std::deque<Pending> m_pending;
    bool m_heldBack = false;
    std::optional<MemoryNow> m_lastMemory;
};

} // namespace pw::exec
