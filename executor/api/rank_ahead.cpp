// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "executor/api/poll_pause.h"
#include "executor/api/rank_runner.h"

#include <algorithm>
#include <utility>

// Forwards of the next step that do not wait for the norm of all gradients. They use weights, and
// results of other ranks, that may be taken back; every rank comes to the same norm, so all of them
// do again what they did too early, in the same order, and send it once more.

namespace pw::exec {

/// Whether an entry may use weights whose update is not sure: forwards leave nothing behind that
/// could not be made again. A meeting of both sides (`Committed`) takes place once.
bool RankRunner::runsAhead(const OrderEntry& entry) const
{
    return m_plan.postValidation && !m_committed && !entry.paired && entry.pass.kind == PassKind::F;
}

/// The same as `validate` where the norm is there, else nothing.
Result<void> RankRunner::validateIfKnown()
{
    const Result<std::vector<std::optional<double>>> heard =
        m_endpoint->heardSoFar(m_open->round, m_position.iteration());
    if (!heard)
        return fail(heard.error());
    const bool known =
        std::all_of(heard->begin(), heard->end(),
                    [](const std::optional<double>& one) { return one.has_value(); });
    return known ? validate() : Result<void>();
}

/// Waits for the input of a forward, or for the norm, whichever is first: who would send the input
/// may wait for a result that this rank has to make again.
Result<void> RankRunner::inputOrNorm(std::int32_t message)
{
    const Message& what = m_plan.program.messages[static_cast<std::size_t>(message)];
    m_position.waitFor(what.from);
    const Ticks begun = m_shared.clock.now();
    for (int turn = 0; m_open; ++turn) {
        if (auto valid = validateIfKnown(); !valid)
            return valid;
        PW_TRY(const bool came, m_messages->hasCome(message));
        // After the patience is over, the wait for the message says what is missing.
        if (came || m_shared.clock.now() - begun >= m_shared.patience)
            break;
        PW_DO(m_position.checkEnded());
        pollPause(turn);
    }
    m_position.endWait();
    return {};
}

/// What a sender made too early is replaced where the update was taken back.
Result<void> RankRunner::confirm(std::int32_t message, Arrival& arrival)
{
    if (!arrival.packet.optimistic) {
        if (!m_open)
            return {};
        // Who has sent it knows the norm, so all have told their part.
        const OrderEntry entry = m_position.entry();
        const std::int64_t place = m_position.place();
        auto valid = validate();
        m_position.enter(place, entry);
        return valid;
    }
    if (m_open || !m_lastClipped)
        return {};
    PW_TRY(arrival, m_messages->waitAgain(message));
    return {};
}

/// Whether copies of a stage hand on weights that may still be taken back, so that forwards can run
/// ahead of the norm with a sharded optimizer, too.
bool RankRunner::handsOnUnsure() const
{
    return m_plan.postValidation && !m_committed && m_plan.schedule.spec().updates;
}

/// Does forwards again whose weights were taken back.
Result<void> RankRunner::again(const std::vector<Early>& early)
{
    for (const Early& one : early) {
        if (one.input >= 0)
            m_recorder->dropMessage(one.input);
        m_recorder->markInVain(one.index);
    }
    for (const Early& one : early) {
        if (auto forgotten = m_worker->forget(one.entry); !forgotten)
            return m_position.named(forgotten.error());
    }
    for (const Early& one : early) {
        m_position.enterEntry(one.index, one.entry);
        if (one.input >= 0) {
            PW_TRY(Arrival sure, m_messages->waitAgain(one.input));
            PW_DO(m_messages->accept(one.input, std::move(sure)));
        }
        PW_DO(m_passes->run(one.index, one.entry));
        ++m_ranAgain;
        for (const std::int32_t message : one.sent)
            PW_DO(m_messages->sendAgain(message));
    }
    return {};
}

} // namespace pw::exec
