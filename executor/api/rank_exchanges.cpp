// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lower/reductions.h"
#include "executor/api/rank_runner.h"

#include <cmath>
#include <string>
#include <utility>

// What the ranks do around an update: sum gradients over the copies of a stage, agree on the norm
// of all gradients, hand on what each has updated.

namespace pw::exec {

Result<Packet> RankRunner::exchanged(const Reduction& reduction, int side)
{
    const HostedStage own{reduction.routes[side], reduction.stage};
    if (reduction.kind == ReductionKind::Sum)
        return m_worker->gradients(own, reduction.update);
    return m_worker->shard(own, reduction.update, reduction.kind, shardFrom(reduction, side));
}

Result<void> RankRunner::takeIn(const Reduction& reduction, int side, Packet packet)
{
    const HostedStage own{reduction.routes[side], reduction.stage};
    if (reduction.kind == ReductionKind::Sum)
        return m_worker->addGradients(own, reduction.update, std::move(packet));
    const int shard = shardFrom(reduction, 1 - side);
    return m_worker->takeShard(own, reduction.update, reduction.kind, shard, std::move(packet));
}

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
    const int side = reduction.ranks[0] == m_rank ? 0 : 1;
    const RankId peer = reduction.ranks[1 - side];
    const Pass update{PassKind::U, static_cast<std::uint8_t>(reduction.routes[side]),
                      reduction.stage, reduction.update, 0};
    m_position.enterUpdate(update);
    if (peer == m_rank) {
        if (unsure)
            m_unsure.push_back(index);
        return swapHere(reduction);
    }
    Result<Packet> mine = exchanged(reduction, side);
    if (!mine)
        return m_position.named(mine.error());
    mine->optimistic = unsure;
    m_position.waitFor(peer);
    Result<Arrival> arrival = m_endpoint->exchange(index, m_position.iteration(), peer,
                                                   std::move(*mine), m_position.patience());
    if (!arrival)
        return fail(arrival.error());
    m_position.endWait();
    if (unsure || arrival->packet.optimistic)
        m_unsure.push_back(index);
    m_recorder->addMessage(-1, peer, update, PassKind::U, *arrival);
    if (auto taken = takeIn(reduction, side, std::move(arrival->packet)); !taken)
        return m_position.named(taken.error());
    return {};
}

/// Between two copies of this rank.
Result<void> RankRunner::swapHere(const Reduction& reduction)
{
    Result<Packet> first = exchanged(reduction, 0);
    if (!first)
        return m_position.named(first.error());
    Result<Packet> second = exchanged(reduction, 1);
    if (!second)
        return m_position.named(second.error());
    for (const int taker : {0, 1}) {
        auto taken = takeIn(reduction, taker, std::move(taker == 0 ? *second : *first));
        if (!taken)
            return m_position.named(taken.error());
    }
    return {};
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
            if (auto settled = settleShards(); !settled)
                return settled;
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
    if (auto settled = settleShards(); !settled)
        return settled;
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
