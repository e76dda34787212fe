// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/noise/hinted_device.h"
#include "executor/api/pass_messages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw::exec {

/// An order that is a hint, on one rank: while its next pass waits for another rank, a later one
/// that is ready runs, within the memory that its order needs. Passes that add to the gradients of
/// one stage keep their order, so that sums come out the same; nothing goes ahead of an update, nor
/// of an exchange between the copies of a stage.
///
/// Says what comes next; whoever follows it does it, entry after entry, and says so.
class HintedOrder
{
public:
    HintedOrder(const RunShared& shared, RankPosition& position, PassMessages& messages);
    HintedOrder(const HintedOrder&) = delete;
    HintedOrder& operator=(const HintedOrder&) = delete;

    /// An iteration begins: nothing has run, and all messages may come.
    Result<void> begin();
    /// Whether all entries have run.
    bool over() const { return m_device.over(); }
    /// The exchanges between copies of a stage that stand before the next entry; once each.
    std::vector<std::int32_t> dueExchanges();
    /// The entry to run now: the next one as soon as its messages are there, else the first later
    /// one that is ready. Waits until there is one; after the patience of the run it is the next
    /// one, whose wait for its message then says what is missing.
    Result<EntryId> choose();
    /// A chosen entry has run.
    void take(EntryId entry);
    /// The messages with its result.
    const std::vector<std::int32_t>& sendsOf(EntryId entry) const { return m_sends[offset(entry)]; }

    /// How many passes of the run went ahead, in words.
    std::string note() const;

private:
    void findStretches();
    void findSums();
    void findMessages();
    std::size_t offset(EntryId entry) const { return at(entry - m_first); }
    EntryId next() const { return EntryId(m_order[m_device.next()]); }
    bool allows(EntryId entry, std::size_t place) const;
    Result<bool> isReady(EntryId entry, Ticks now, RankId& missing);
    Ticks graceOf(EntryId entry) const;

    const RunShared& m_shared;
    const Schedule& m_schedule;
    RankPosition& m_position;
    PassMessages& m_messages;
    const HintProblem m_problem;
    const std::vector<std::int32_t>& m_order; ///< entries of this rank
    const EntryId m_first;                    ///< of this rank
    HintedDevice m_device;
    // By place in the order.
    std::vector<std::size_t> m_from; ///< first place of the stretch that a pass moves in
    std::vector<std::vector<std::int32_t>> m_exchanges; ///< before a place; one more, for the end
    std::size_t m_exchanged = 0;                        ///< places whose exchanges are done
    // By entry less the rank's first.
    std::vector<std::int32_t> m_adds; ///< the one before it that adds to the same gradients; −1
    std::vector<std::vector<std::int32_t>> m_sends; ///< messages
    std::vector<std::int32_t> m_posts;              ///< messages to this rank
    std::int64_t m_wentAhead = 0;                   ///< passes of the run
};

} // namespace pw::exec
