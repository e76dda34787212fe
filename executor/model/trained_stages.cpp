// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/trained_stages.h"

#include "core/base/assert.h"
#include "executor/model/kept_training.h"

#include <algorithm>

namespace pw::exec {

namespace {

constexpr Bytes shardFloat = sizeof(float);

/// Numbers of a stage that belong to a shard.
struct ShardOf
{
    ShardOf(std::int64_t all, int shard, int shards)
        : begin(shardStart(all, shard, shards))
        , count(shardStart(all, shard + 1, shards) - begin)
    {
    }
    Bytes bytes() const { return count * shardFloat; }

    std::int64_t begin;
    std::int64_t count;
};

} // namespace

Hosted& TrainedStages::at(HostedStage where)
{
    const auto found = std::find_if(m_hosted.begin(), m_hosted.end(),
                                    [&](const Hosted& each) { return each.stage == where; });
    PW_ASSERT(found != m_hosted.end());
    return *found;
}

Result<void> TrainedStages::begin(const std::vector<int>& segmentTokens)
{
    const auto chunks = chunksOfDevices(m_spec);
    for (const HostedStage& where : chunks[deviceOf(m_rank).index()]) {
        Hosted& made = m_hosted.emplace_back(m_ops, m_plan, where);
        for (int segment = 0; segment < m_spec.segments(); ++segment)
            made.layouts.emplace_back(m_plan.model, made.compute.content(), segmentTokens, segment);
        if (auto gone = goOn(made); !gone)
            return gone;
    }
    return {};
}

bool TrainedStages::anyOutputs() const
{
    return std::any_of(m_hosted.begin(), m_hosted.end(),
                       [](const Hosted& each) { return each.compute.content().outputs > 0; });
}

void TrainedStages::beginIteration()
{
    for (Hosted& each : m_hosted) {
        const auto versions = static_cast<std::size_t>(m_spec.updatesPerStage()) + 1;
        std::vector<int> readers(versions);
        for (int j = 0; j < m_spec.totalMicroBatches(); ++j) {
            if (m_spec.route(j) != each.stage.route)
                continue;
            const int version = m_plan.schedule.weightVersion(each.stage.stage, j);
            readers[static_cast<std::size_t>(version)] += m_spec.segments();
        }
        each.weights.beginIteration(std::move(readers));
    }
}

Result<Packet> TrainedStages::gradients(HostedStage where, int update)
{
    WeightVersions& weights = at(where).weights;
    Buffer sums(m_ops, weights.floatBytes(), MemoryUse::Messages);
    m_ops.copy(sums.data(), weights.gradients(update).data(), sums.bytes());
    const Bytes bytes = sums.bytes();
    return m_ops.pack(sums.surrender(), bytes);
}

Result<void> TrainedStages::addGradients(HostedStage where, int update, Packet packet)
{
    WeightVersions& weights = at(where).weights;
    const Bytes bytes = weights.floatBytes();
    if (packet.payload == nullptr || packet.payload->bytes() != bytes)
        return fail(ErrorCode::Fault, "weight gradients of stage %1 of the wrong size",
                    where.stage);
    const bool summed = packet.summed;
    const Buffer sums(m_ops, m_ops.unpack(std::move(packet), bytes), bytes, MemoryUse::Messages);
    float* const own = weights.gradients(update).data();
    // A sum of two floats is the same in either order, so both replicas get the same.
    if (summed)
        m_ops.copy(own, sums.data(), bytes);
    else
        m_ops.addFloats(static_cast<const float*>(sums.data()), own, weights.count());
    return {};
}

Result<Packet> TrainedStages::shard(HostedStage where, int update, ReductionKind kind, int shard)
{
    WeightVersions& weights = at(where).weights;
    const ShardOf part(weights.count(), shard, m_spec.routeCount());
    Buffer numbers(m_ops, part.bytes(), MemoryUse::Messages);
    const float* from =
        kind == ReductionKind::Weights ? weights.weights() : weights.gradients(update).data();
    if (part.count > 0)
        m_ops.copy(numbers.data(), from + part.begin, part.bytes());
    return m_ops.pack(numbers.surrender(), part.bytes());
}

Result<void> TrainedStages::takeShard(HostedStage where, int update, ReductionKind kind, int shard,
                                      Packet packet)
{
    WeightVersions& weights = at(where).weights;
    const ShardOf part(weights.count(), shard, m_spec.routeCount());
    if (packet.payload == nullptr || packet.payload->bytes() != part.bytes())
        return fail(ErrorCode::Fault, "a shard of stage %1 of the wrong size", where.stage);
    const Buffer numbers(m_ops, m_ops.unpack(std::move(packet), part.bytes()), part.bytes(),
                         MemoryUse::Messages);
    if (part.count == 0)
        return {};
    const auto* from = static_cast<const float*>(numbers.data());
    switch (kind) {
    case ReductionKind::Sum:
    case ReductionKind::Scatter:
        m_ops.addFloats(from, weights.gradients(update).data() + part.begin, part.count);
        break;
    case ReductionKind::Gather:
        m_ops.copy(weights.gradients(update).data() + part.begin, from, part.bytes());
        break;
    case ReductionKind::Weights:
        m_ops.copy(weights.weights() + part.begin, from, part.bytes());
        weights.weightsChanged();
        break;
    }
    return {};
}

double TrainedStages::gradientSquares(int update)
{
    double sum = 0;
    for (Hosted& each : m_hosted) {
        if (each.stage.route == 0) // the other copies have the same
            sum += each.weights.gradientSquares(update);
    }
    return sum;
}

void TrainedStages::scaleGradients(double factor)
{
    for (Hosted& each : m_hosted)
        each.weights.scaleNext(factor);
}

void TrainedStages::keepForRollback()
{
    for (Hosted& each : m_hosted)
        each.weights.keepForRollback();
}

void TrainedStages::rollBack(int update, double factor)
{
    for (Hosted& each : m_hosted)
        each.weights.rollBack(update, factor);
}

void TrainedStages::settled(int update)
{
    for (Hosted& each : m_hosted)
        each.weights.settled(update);
}

Result<void> TrainedStages::goOn(Hosted& hosted)
{
    if (m_plan.training == 0 || m_plan.firstIteration == 0)
        return {};
    const std::optional<KeptStage> kept = keptTraining(m_plan.training, hosted.stage);
    if (!kept)
        return fail(ErrorCode::Fault,
                    "stage %1 has not been trained here before; a training goes on in the "
                    "processes in which it began",
                    hosted.stage.stage);
    hosted.weights.continueFrom(kept->parameters, kept->states, kept->updates);
    return {};
}

void TrainedStages::end()
{
    if (m_plan.training == 0)
        return;
    for (Hosted& each : m_hosted) {
        WeightVersions& weights = each.weights;
        keepTraining(m_plan.training, each.stage,
                     {weights.downloadParameters(), weights.downloadStates(), weights.updates()});
    }
}

} // namespace pw::exec
