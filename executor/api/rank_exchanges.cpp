// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "executor/api/rank_runner.h"

#include <cmath>
#include <string>
#include <utility>

// What the ranks do around an update: sum gradients over the copies of a stage, agree on the norm
// of all gradients, hand on what each has updated.

namespace pw::exec {

Result<void> RankRunner::reduce(std::int32_t index)
{
    const Reduction& reduction = m_plan.program.reductions[static_cast<std::size_t>(index)];
    // What was updated without the norm goes nowhere before it is known, unless it is said to be
    // so.
    if (reduction.kind == ReductionKind::Weights && !handsOnUnsure()) {
        if (auto valid = validate(); !valid)
            return valid;
    }
    const bool unsure = reduction.kind == ReductionKind::Weights && m_open.has_value();
    return m_replicas->exchange(index, unsure);
}

/// An entry where it stands in the order. Before the first update of a step the gradients are
/// clipped; before the first pass after the last one that is no forward it must be known whether
/// that was right.
Result<void> RankRunner::computeInTurn(EntryId index)
{
    const OrderEntry entry = m_plan.schedule.entry(index);
    if (m_plan.optimizer.clipNorm > 0) {
        const bool updates = entry.pass.kind == PassKind::U;
        if (m_open && (!updates || m_open->update != entry.pass.microBatch)) {
            if (auto valid = runsAhead(entry) ? validateIfKnown() : validate(); !valid)
                return valid;
        }
        if (!m_open && !updates) {
            PW_DO(m_replicas->resolveUnsure(m_lastClipped));
        }
        if (updates && entry.pass.microBatch == m_clipped) {
            if (auto clipped = clip(entry.pass.microBatch); !clipped)
                return clipped;
        }
    }
    return compute(index, entry);
}

Result<void> RankRunner::updates()
{
    const PipelineSpec& spec = m_plan.schedule.spec();
    if (m_plan.optimizer.clipNorm > 0) {
        if (auto clipped = clip(0); !clipped)
            return clipped;
    }
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) != device())
                continue;
            const Pass update{PassKind::U, static_cast<std::uint8_t>(route), stage, 0, 0};
            if (auto done = compute(EntryId::none(), single(update)); !done)
                return done;
        }
    }
    const std::vector<Reduction>& all = m_plan.program.reductions;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool here = all[i].ranks[0] == m_rank || all[i].ranks[1] == m_rank;
        if (all[i].kind != ReductionKind::Weights || !here)
            continue;
        if (auto done = reduce(static_cast<std::int32_t>(i)); !done)
            return done;
    }
    return {};
}

/// The gradients of an update are complete on this rank: clips them, or has the update done
/// without knowing the norm. Its own part above the limit says that they will be clipped.
Result<void> RankRunner::clip(int update)
{
    m_position.enterUpdate({PassKind::U, 0, StageId(0), update, 0});
    const int round = m_clipped++;
    const Result<double> own = m_worker->gradientSquares(update);
    if (!own)
        return m_position.named(own.error());
    if (auto told = m_endpoint->tellAll(round, m_position.iteration(), *own); !told)
        return m_position.named(told.error());
    if (m_plan.postValidation && std::sqrt(*own) <= m_plan.optimizer.clipNorm) {
        m_open = Validation{update, round};
        if (auto kept = m_worker->keepForRollback(update); !kept)
            return m_position.named(kept.error());
        return {};
    }
    const Result<double> factor = factorOf(round);
    if (!factor)
        return fail(factor.error());
    m_lastClipped = *factor < 1;
    if (*factor < 1) {
        if (auto scaled = m_worker->scaleGradients(update, *factor); !scaled)
            return m_position.named(scaled.error());
    }
    return {};
}

/// What the gradients are to be multiplied by; waits for all ranks.
Result<double> RankRunner::factorOf(int round)
{
    const Result<std::vector<double>> squares =
        m_endpoint->heardOfAll(round, m_position.iteration(), m_position.patience());
    if (!squares)
        return fail(squares.error());
    double sum = 0;
    for (const double square : *squares)
        sum += square;
    const double norm = std::sqrt(sum);
    ++m_norms;
    const bool above = norm > m_plan.optimizer.clipNorm;
    m_scaled += above ? 1 : 0;
    return above ? m_plan.optimizer.clipNorm / norm : 1;
}

/// Waits for the norm of an update that was done without it, and takes the update back where it is
/// too large.
Result<void> RankRunner::validate()
{
    if (!m_open)
        return {};
    const Validation open = *m_open;
    m_position.enterUpdate({PassKind::U, 0, StageId(0), open.update, 0});
    const Result<double> factor = factorOf(open.round);
    if (!factor)
        return fail(factor.error());
    m_open.reset();
    m_lastClipped = *factor < 1;
    const std::vector<Early> early = std::exchange(m_early, {});
    m_recorder->release();
    m_ranAhead += static_cast<std::int64_t>(early.size());
    if (m_lastClipped) {
        ++m_rolledBack;
        if (auto redone = m_worker->rollBack(open.update, *factor); !redone)
            return m_position.named(redone.error());
    }
    m_worker->settled(open.update);
    PW_DO(m_replicas->resolveUnsure(m_lastClipped));
    return m_lastClipped ? again(early) : Result<void>();
}

void RankRunner::noteClipping()
{
    if (m_norms == 0 || m_rank != 0)
        return;
    std::string text = "the norm of all gradients was above " +
                       std::to_string(m_plan.optimizer.clipNorm) + " in " +
                       std::to_string(m_scaled) + " of " + std::to_string(m_norms) + " steps";
    if (m_plan.postValidation)
        text += "; rank 0 took " + std::to_string(m_rolledBack) + " updates back, began " +
                std::to_string(m_ranAhead) + " forwards before the norm was known, and did " +
                std::to_string(m_ranAgain) + " of them again";
    m_recorder->log(std::move(text));
}

} // namespace pw::exec
