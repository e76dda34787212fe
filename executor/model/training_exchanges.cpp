// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/kept_training.h"
#include "executor/model/training_worker.h"

// What a worker has to do with the other copies of its stages, with the norm of all gradients, and
// with the runs of its training before and after.

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

Result<Packet> TrainingWorker::shard(HostedStage stage, int update, ReductionKind kind, int shard)
{
    WeightVersions& weights = hosted(stage.route, stage.stage).weights;
    const ShardOf part(weights.count(), shard, m_spec.routeCount());
    Buffer numbers(*m_ops, part.bytes(), MemoryUse::Messages);
    const float* from =
        kind == ReductionKind::Weights ? weights.weights() : weights.gradients(update).data();
    if (part.count > 0)
        m_ops->copy(numbers.data(), from + part.begin, part.bytes());
    return m_ops->pack(numbers.surrender(), part.bytes());
}

Result<void> TrainingWorker::takeShard(HostedStage stage, int update, ReductionKind kind, int shard,
                                       Packet packet)
{
    WeightVersions& weights = hosted(stage.route, stage.stage).weights;
    const ShardOf part(weights.count(), shard, m_spec.routeCount());
    if (packet.payload == nullptr || packet.payload->bytes() != part.bytes())
        return fail(ErrorCode::Fault, "a shard of stage %1 of the wrong size", stage.stage);
    const Buffer numbers(*m_ops, m_ops->unpack(std::move(packet), part.bytes()), part.bytes(),
                         MemoryUse::Messages);
    if (part.count == 0)
        return {};
    const auto* from = static_cast<const float*>(numbers.data());
    switch (kind) {
    case ReductionKind::Sum:
    case ReductionKind::Scatter:
        m_ops->addFloats(from, weights.gradients(update).data() + part.begin, part.count);
        break;
    case ReductionKind::Gather:
        m_ops->copy(weights.gradients(update).data() + part.begin, from, part.bytes());
        break;
    case ReductionKind::Weights:
        m_ops->copy(weights.weights() + part.begin, from, part.bytes());
        weights.weightsChanged();
        break;
    }
    return {};
}

Result<double> TrainingWorker::gradientSquares(int update)
{
    double sum = 0;
    for (Hosted& each : m_hosted) {
        if (each.stage.route == 0) // the other copies have the same
            sum += each.weights.gradientSquares(update);
    }
    return sum;
}

Result<void> TrainingWorker::scaleGradients(int, double factor)
{
    for (Hosted& each : m_hosted)
        each.weights.scaleNext(factor);
    return {};
}

Result<void> TrainingWorker::keepForRollback(int)
{
    for (Hosted& each : m_hosted)
        each.weights.keepForRollback();
    return {};
}

Result<void> TrainingWorker::rollBack(int update, double factor)
{
    for (Hosted& each : m_hosted)
        each.weights.rollBack(update, factor);
    return {};
}

Result<void> TrainingWorker::forget(const OrderEntry& entry)
{
    const Pass& pass = entry.pass;
    if (entry.paired || pass.kind != PassKind::F)
        return fail(ErrorCode::Fault, "%1 cannot be computed again", describe(pass, m_spec));
    m_cells.erase(cellNumber(pass));
    m_arrived.erase(pass);
    m_outgoing.erase(pass);
    if (!last(pass))
        return {};
    std::erase(m_lossesDone, pass.microBatch);
    m_ops->zero(static_cast<float*>(m_losses.data()) + pass.microBatch, sizeof(float));
    return {};
}

void TrainingWorker::settled(int update)
{
    for (Hosted& each : m_hosted)
        each.weights.settled(update);
}

Result<void> TrainingWorker::goOn(Hosted& hosted)
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

Result<void> TrainingWorker::end()
{
    if (m_plan.training == 0)
        return {};
    for (Hosted& each : m_hosted) {
        WeightVersions& weights = each.weights;
        keepTraining(m_plan.training, each.stage,
                     {weights.downloadParameters(), weights.downloadStates(), weights.updates()});
    }
    return {};
}

} // namespace pw::exec
