// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/pass_messages.h"
#include "executor/api/pass_runner.h"

#include <cstdint>
#include <vector>

namespace pw::exec {

/// Forwards of the next step that do not wait for the norm of all gradients. They use weights, and
/// results of other ranks, that may be taken back; every rank comes to the same norm, so all of
/// them do again what they did too early, in the same order, and send it once more.
class EarlyForwards
{
public:
    EarlyForwards(RankPosition& position, Worker& worker, PassRunner& passes,
                  PassMessages& messages, RankRecorder& recorder)
        : m_position(position)
        , m_worker(worker)
        , m_passes(passes)
        , m_messages(messages)
        , m_recorder(recorder)
    {
    }

    /// A forward of weights whose update may still be taken back; before it runs.
    /// @param input  message, of weights that may be taken back, too; −1: none
    void add(EntryId index, const OrderEntry& entry, std::int32_t input);
    /// Hands the result of a pass to another rank: as one that may be replaced, where the pass is
    /// one of these.
    Result<void> send(const Pass& producer, std::int32_t message);
    /// The norm is known. Does all of them again, with their messages, where the weights that they
    /// used have been taken back.
    Result<void> resolve(bool takenBack);

    // Of the run.
    std::int64_t begun() const { return m_begun; }
    std::int64_t doneAgain() const { return m_doneAgain; }

private:
    struct Early
    {
        EntryId index{0};
        OrderEntry entry;
        std::int32_t input = -1;
        std::vector<std::int32_t> sent{}; ///< messages with its result
    };

    Result<void> redo(const std::vector<Early>& all);
    Result<void> redo(const Early& early);

    RankPosition& m_position;
    Worker& m_worker;
    PassRunner& m_passes;
    PassMessages& m_messages;
    RankRecorder& m_recorder;
    std::vector<Early> m_early; ///< in turn
    std::int64_t m_begun = 0;
    std::int64_t m_doneAgain = 0;
};

} // namespace pw::exec
