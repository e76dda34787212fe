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
        const Result<bool> came = m_endpoint->hasCome(message, m_position.iteration());
        if (!came)
            return m_position.named(came.error());
        // After the patience is over, the wait for the message says what is missing.
        if (*came || m_shared.clock.now() - begun >= m_shared.patience)
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
    Result<Arrival> sure =
        m_endpoint->waitAgain(message, m_position.iteration(), m_position.patience());
    if (!sure)
        return fail(sure.error());
    arrival = std::move(*sure);
    return {};
}

/// Whether copies of a stage hand on weights that may still be taken back, so that forwards can run
/// ahead of the norm with a sharded optimizer, too.
bool RankRunner::handsOnUnsure() const
{
    return m_plan.postValidation && !m_committed && m_plan.schedule.spec().updates;
}

/// Exchanges weights once more where a side did not know the norm and all have clipped since. Both
/// sides know of which exchanges that holds. It waits until a rank goes on to a pass: by then its
/// row of exchanges is done, which no other rank's second exchange has to wait for.
Result<void> RankRunner::settleShards()
{
    const std::vector<std::int32_t> unsure = std::exchange(m_unsure, {});
    if (!m_lastClipped)
        return {};
    for (const std::int32_t index : unsure) {
        const Reduction& reduction = m_plan.program.reductions[static_cast<std::size_t>(index)];
        const int side = reduction.ranks[0] == m_rank ? 0 : 1;
        const RankId peer = reduction.ranks[1 - side];
        const auto route = static_cast<std::uint8_t>(reduction.routes[side]);
        m_position.enterUpdate({PassKind::U, route, reduction.stage, reduction.update, 0});
        if (peer == m_rank) {
            if (auto swapped = swapHere(reduction); !swapped)
                return swapped;
            continue;
        }
        Result<Packet> mine = exchanged(reduction, side);
        if (!mine)
            return m_position.named(mine.error());
        m_position.waitFor(peer);
        Result<Arrival> sure = m_endpoint->exchangeAgain(index, m_position.iteration(), peer,
                                                         std::move(*mine), m_position.patience());
        if (!sure)
            return fail(sure.error());
        m_position.endWait();
        if (auto taken = takeIn(reduction, side, std::move(sure->packet)); !taken)
            return m_position.named(taken.error());
    }
    return {};
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
            m_position.waitFor(m_plan.program.messages[static_cast<std::size_t>(one.input)].from);
            Result<Arrival> sure =
                m_endpoint->waitAgain(one.input, m_position.iteration(), m_position.patience());
            if (!sure)
                return fail(sure.error());
            m_position.endWait();
            if (auto taken = accept(one.input, std::move(*sure)); !taken)
                return taken;
        }
        if (auto done = m_passes->run(one.index, one.entry); !done)
            return done;
        ++m_ranAgain;
        for (const std::int32_t message : one.sent) {
            Result<Packet> packet = m_worker->take(one.entry.pass);
            if (!packet)
                return m_position.named(packet.error());
            if (auto sent =
                    m_endpoint->sendAgain(message, m_position.iteration(), std::move(*packet));
                !sent)
                return sent;
        }
    }
    return {};
}

} // namespace pw::exec
