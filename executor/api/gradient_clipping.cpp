// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/gradient_clipping.h"

#include "core/base/try.h"
#include "executor/api/poll_pause.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pw::exec {

GradientClipping::GradientClipping(const RunShared& shared, RankPosition& position, Worker& worker,
                                   Endpoint& endpoint, PassMessages& messages,
                                   ReplicaExchange& replicas, EarlyForwards& early)
    : m_shared(shared)
    , m_plan(shared.plan)
    , m_committed(shared.plan.schedule.spec().messages == MessageRule::Committed)
    , m_position(position)
    , m_worker(worker)
    , m_endpoint(endpoint)
    , m_messages(messages)
    , m_replicas(replicas)
    , m_early(early)
{
}

Result<void> GradientClipping::beforeEntry(const OrderEntry& entry)
{
    if (m_plan.optimizer.clipNorm <= 0)
        return {};
    const bool updates = entry.pass.kind == PassKind::U;
    if (m_open && (!updates || m_open->update != entry.pass.microBatch))
        PW_DO(runsAhead(entry) ? validateIfKnown() : validate());
    if (!m_open && !updates)
        PW_DO(m_replicas.resolveUnsure(m_lastClipped));
    if (updates && entry.pass.microBatch == m_rounds)
        return clip(entry.pass.microBatch);
    return {};
}

Result<void> GradientClipping::beforeUpdates()
{
    return m_plan.optimizer.clipNorm > 0 ? clip(0) : Result<void>();
}

Result<void> GradientClipping::beforeWeights()
{
    return handsOnUnsure() ? Result<void>() : validate();
}

Result<void> GradientClipping::finishIteration()
{
    PW_DO(validate());
    return m_replicas.resolveUnsure(m_lastClipped);
}

/// Whether an entry may use weights whose update is not sure: forwards leave nothing behind that
/// could not be made again. A meeting of both sides (`Committed`) takes place once.
bool GradientClipping::runsAhead(const OrderEntry& entry) const
{
    return m_plan.postValidation && !m_committed && !entry.paired && entry.pass.kind == PassKind::F;
}

/// Whether copies of a stage hand on weights that may still be taken back, so that forwards can run
/// ahead of the norm with a sharded optimizer, too.
bool GradientClipping::handsOnUnsure() const
{
    return m_plan.postValidation && !m_committed && m_plan.schedule.spec().updates;
}

/// The gradients of an update are complete on this rank: clips them, or has the update done
/// without knowing the norm. Its own part above the limit says that they will be clipped.
Result<void> GradientClipping::clip(int update)
{
    m_position.enterUpdate({PassKind::U, 0, StageId(0), update, 0});
    const int round = m_rounds++;
    const Result<double> own = m_worker.gradientSquares(update);
    if (!own)
        return m_position.named(own.error());
    if (auto told = m_endpoint.tellAll(round, m_position.iteration(), *own); !told)
        return m_position.named(told.error());
    if (m_plan.postValidation && std::sqrt(*own) <= m_plan.optimizer.clipNorm) {
        m_open = OpenUpdate{update, round};
        if (auto kept = m_worker.keepForRollback(update); !kept)
            return m_position.named(kept.error());
        return {};
    }
    PW_TRY(const double factor, factorOf(round));
    m_lastClipped = factor < 1;
    if (m_lastClipped) {
        if (auto scaled = m_worker.scaleGradients(update, factor); !scaled)
            return m_position.named(scaled.error());
    }
    return {};
}

/// What the gradients are to be multiplied by; waits for all ranks.
Result<double> GradientClipping::factorOf(int round)
{
    PW_TRY(const std::vector<double> squares,
           m_endpoint.heardOfAll(round, m_position.iteration(), m_position.patience()));
    double sum = 0;
    for (const double square : squares)
        sum += square;
    const double norm = std::sqrt(sum);
    ++m_norms;
    const bool above = norm > m_plan.optimizer.clipNorm;
    m_scaled += above ? 1 : 0;
    return above ? m_plan.optimizer.clipNorm / norm : 1;
}

/// Waits for the norm of an update that was done without it, and takes the update back where it is
/// too large.
Result<void> GradientClipping::validate()
{
    if (!m_open)
        return {};
    const OpenUpdate open = *m_open;
    m_position.enterUpdate({PassKind::U, 0, StageId(0), open.update, 0});
    PW_TRY(const double factor, factorOf(open.round));
    m_open.reset();
    m_lastClipped = factor < 1;
    if (m_lastClipped) {
        ++m_takenBack;
        if (auto redone = m_worker.rollBack(open.update, factor); !redone)
            return m_position.named(redone.error());
    }
    m_worker.settled(open.update);
    PW_DO(m_replicas.resolveUnsure(m_lastClipped));
    return m_early.resolve(m_lastClipped);
}

/// The same where the norm is there, else nothing.
Result<void> GradientClipping::validateIfKnown()
{
    PW_TRY(const std::vector<std::optional<double>> heard,
           m_endpoint.heardSoFar(m_open->round, m_position.iteration()));
    const bool known =
        std::all_of(heard.begin(), heard.end(),
                    [](const std::optional<double>& one) { return one.has_value(); });
    return known ? validate() : Result<void>();
}

Result<void> GradientClipping::waitForInputOrNorm(std::int32_t message)
{
    m_position.waitFor(m_messages.sender(message));
    const Ticks begun = m_shared.clock.now();
    for (int turn = 0; m_open; ++turn) {
        PW_DO(validateIfKnown());
        PW_TRY(const bool came, m_messages.hasCome(message));
        // After the patience is over, the wait for the message says what is missing.
        if (came || m_shared.clock.now() - begun >= m_shared.patience)
            break;
        PW_DO(m_position.checkEnded());
        pollPause(turn);
    }
    m_position.endWait();
    return {};
}

Result<void> GradientClipping::confirm(std::int32_t message, Arrival& arrival)
{
    if (!m_plan.postValidation)
        return {};
    if (!arrival.packet.optimistic) {
        if (!m_open)
            return {};
        // Who has sent it knows the norm, so all have told their part.
        const OrderEntry entry = m_position.entry();
        const std::int64_t place = m_position.place();
        Result<void> valid = validate();
        m_position.enter(place, entry);
        return valid;
    }
    if (m_open || !m_lastClipped)
        return {};
    PW_TRY(arrival, m_messages.waitAgain(message));
    return {};
}

std::optional<std::string> GradientClipping::note() const
{
    if (m_norms == 0 || m_position.rank() != 0)
        return std::nullopt;
    std::string text = "the norm of all gradients was above " +
                       std::to_string(m_plan.optimizer.clipNorm) + " in " +
                       std::to_string(m_scaled) + " of " + std::to_string(m_norms) + " steps";
    if (m_plan.postValidation)
        text += "; rank 0 took " + std::to_string(m_takenBack) + " updates back, began " +
                std::to_string(m_early.begun()) + " forwards before the norm was known, and did " +
                std::to_string(m_early.doneAgain()) + " of them again";
    return text;
}

} // namespace pw::exec
