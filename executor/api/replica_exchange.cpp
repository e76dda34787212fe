// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/replica_exchange.h"

#include "core/base/try.h"
#include "core/lower/reductions.h"

#include <utility>

namespace pw::exec {

ReplicaExchange::ReplicaExchange(const RunPlan& plan, RankPosition& position, Worker& worker,
                                 Endpoint& endpoint, RankRecorder& recorder)
    : m_plan(plan)
    , m_position(position)
    , m_worker(worker)
    , m_endpoint(endpoint)
    , m_recorder(recorder)
{
}

const Reduction& ReplicaExchange::reductionAt(std::int32_t index) const
{
    return m_plan.program.reductions[static_cast<std::size_t>(index)];
}

int ReplicaExchange::ownSide(const Reduction& reduction) const
{
    return reduction.ranks[0] == m_position.rank() ? 0 : 1;
}

/// The update of this rank's copy that an exchange belongs to.
Pass ReplicaExchange::updateOf(const Reduction& reduction) const
{
    const auto route = static_cast<std::uint8_t>(reduction.routes[ownSide(reduction)]);
    return {PassKind::U, route, reduction.stage, reduction.update, 0};
}

Result<Packet> ReplicaExchange::packetOf(const Reduction& reduction, int side)
{
    const HostedStage own{reduction.routes[side], reduction.stage};
    Result<Packet> packet =
        reduction.kind == ReductionKind::Sum
            ? m_worker.gradients(own, reduction.update)
            : m_worker.shard(own, reduction.update, reduction.kind, shardFrom(reduction, side));
    if (!packet)
        return m_position.named(packet.error());
    return packet;
}

Result<void> ReplicaExchange::takeIn(const Reduction& reduction, int side, Packet packet)
{
    const HostedStage own{reduction.routes[side], reduction.stage};
    const int shard = shardFrom(reduction, 1 - side);
    const Result<void> taken =
        reduction.kind == ReductionKind::Sum
            ? m_worker.addGradients(own, reduction.update, std::move(packet))
            : m_worker.takeShard(own, reduction.update, reduction.kind, shard, std::move(packet));
    if (!taken)
        return m_position.named(taken.error());
    return {};
}

Result<void> ReplicaExchange::exchange(std::int32_t index, bool unsure)
{
    const Reduction& all = reductionAt(index);
    const int side = ownSide(all);
    const RankId peer = all.ranks[1 - side];
    const Pass update = updateOf(all);
    m_position.enterUpdate(update);
    if (peer == m_position.rank()) {
        if (unsure)
            m_unsure.push_back(index);
        return exchangeHere(all);
    }
    PW_TRY(Packet own, packetOf(all, side));
    own.optimistic = unsure;
    m_position.waitFor(peer);
    PW_TRY(Arrival arrival, m_endpoint.exchange(index, m_position.iteration(), peer, std::move(own),
                                                m_position.patience()));
    m_position.endWait();
    if (unsure || arrival.packet.optimistic)
        m_unsure.push_back(index);
    m_recorder.addMessage(-1, peer, update, PassKind::U, arrival);
    return takeIn(all, side, std::move(arrival.packet));
}

/// Between two copies of this rank.
Result<void> ReplicaExchange::exchangeHere(const Reduction& reduction)
{
    PW_TRY(Packet first, packetOf(reduction, 0));
    PW_TRY(Packet second, packetOf(reduction, 1));
    PW_DO(takeIn(reduction, 0, std::move(second)));
    return takeIn(reduction, 1, std::move(first));
}

Result<void> ReplicaExchange::resolveUnsure(bool clipped)
{
    const std::vector<std::int32_t> unsure = std::exchange(m_unsure, {});
    if (!clipped)
        return {};
    for (const std::int32_t index : unsure)
        PW_DO(exchangeAgain(index));
    return {};
}

Result<void> ReplicaExchange::exchangeAgain(std::int32_t index)
{
    const Reduction& all = reductionAt(index);
    const int side = ownSide(all);
    const RankId peer = all.ranks[1 - side];
    m_position.enterUpdate(updateOf(all));
    if (peer == m_position.rank())
        return exchangeHere(all);
    PW_TRY(Packet own, packetOf(all, side));
    m_position.waitFor(peer);
    PW_TRY(Arrival sure, m_endpoint.exchangeAgain(index, m_position.iteration(), peer,
                                                  std::move(own), m_position.patience()));
    m_position.endWait();
    return takeIn(all, side, std::move(sure.packet));
}

} // namespace pw::exec
