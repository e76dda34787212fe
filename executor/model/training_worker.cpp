// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/training_worker.h"

#include "core/base/assert.h"

#include <algorithm>

namespace pw::exec {

Hosted& TrainingWorker::hosted(int route, StageId stage)
{
    const auto found = std::find_if(m_hosted.begin(), m_hosted.end(), [&](const Hosted& each) {
        return each.stage == HostedStage{route, stage};
    });
    PW_ASSERT(found != m_hosted.end());
    return *found;
}

Result<void> TrainingWorker::begin()
{
    const Result<std::vector<int>> tokens = segmentTokens(m_spec, m_plan.model);
    if (!tokens)
        return fail(tokens.error());
    m_segmentTokens = *tokens;
    const auto chunks = chunksOfDevices(m_spec);
    for (const HostedStage& where : chunks[deviceOf(m_rank).index()]) {
        Hosted& made = m_hosted.emplace_back(*m_ops, m_plan, where);
        for (int segment = 0; segment < m_spec.segments(); ++segment)
            made.layouts.emplace_back(m_plan.model, made.compute.content(), m_segmentTokens,
                                      segment);
        if (auto gone = goOn(made); !gone)
            return gone;
        if (made.compute.content().outputs > 0 && !m_losses) {
            const auto count = static_cast<Bytes>(m_spec.totalMicroBatches());
            m_losses =
                Buffer(*m_ops, count * static_cast<Bytes>(sizeof(float)), MemoryUse::Workspace);
        }
    }
    return {};
}

Result<void> TrainingWorker::beginIteration(int iteration)
{
    m_iteration = iteration;
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
    if (m_losses)
        m_ops->zero(m_losses.data(), m_losses.bytes());
    return {};
}

Bytes TrainingWorker::resultBytes(const Pass& pass)
{
    const std::int64_t rows = static_cast<std::int64_t>(m_plan.model.samples) *
                              m_segmentTokens[static_cast<std::size_t>(pass.segment)];
    return rows * m_plan.model.hidden * m_ops->elementBytes();
}

Result<void> TrainingWorker::deliver(const Pass& producer, Packet packet)
{
    const Bytes bytes = resultBytes(producer);
    if (packet.payload == nullptr || packet.payload->bytes() != bytes) {
        return fail(ErrorCode::Fault, "the result of %1 has %2 bytes, not %3",
                    describe(producer, m_spec),
                    packet.payload == nullptr ? 0 : packet.payload->bytes(), bytes);
    }
    void* data = m_ops->unpack(std::move(packet), bytes);
    m_arrived.insert_or_assign(producer, Buffer(*m_ops, data, bytes, MemoryUse::Messages));
    return {};
}

Result<Packet> TrainingWorker::take(const Pass& producer)
{
    const auto found = m_outgoing.find(producer);
    if (found == m_outgoing.end())
        return fail(ErrorCode::Fault, "no result of %1 to send", describe(producer, m_spec));
    const Bytes bytes = found->second.bytes();
    Packet packet = m_ops->pack(found->second.surrender(), bytes);
    m_outgoing.erase(found);
    return packet;
}

Result<Packet> TrainingWorker::gradients(HostedStage stage, int update)
{
    WeightVersions& weights = hosted(stage.route, stage.stage).weights;
    Buffer sums(*m_ops, weights.floatBytes(), MemoryUse::Messages);
    m_ops->copy(sums.data(), weights.gradients(update).data(), sums.bytes());
    const Bytes bytes = sums.bytes();
    return m_ops->pack(sums.surrender(), bytes);
}

Result<void> TrainingWorker::addGradients(HostedStage stage, int update, Packet packet)
{
    WeightVersions& weights = hosted(stage.route, stage.stage).weights;
    const Bytes bytes = weights.floatBytes();
    if (packet.payload == nullptr || packet.payload->bytes() != bytes)
        return fail(ErrorCode::Fault, "weight gradients of stage %1 of the wrong size",
                    stage.stage);
    const bool summed = packet.summed;
    const Buffer sums(*m_ops, m_ops->unpack(std::move(packet), bytes), bytes, MemoryUse::Messages);
    float* const own = weights.gradients(update).data();
    // A sum of two floats is the same in either order, so both replicas get the same.
    if (summed)
        m_ops->copy(own, sums.data(), bytes);
    else
        m_ops->addFloats(static_cast<const float*>(sums.data()), own, weights.count());
    return {};
}

std::vector<MicroBatchLoss> TrainingWorker::takeLosses()
{
    std::vector<MicroBatchLoss> losses;
    if (m_lossesDone.empty())
        return losses;
    std::vector<float> sums(static_cast<std::size_t>(m_spec.totalMicroBatches()));
    m_ops->download(sums.data(), m_losses.data(), m_losses.bytes());
    for (const std::int32_t j : m_lossesDone) {
        const double sum = sums[static_cast<std::size_t>(j)];
        losses.push_back({j, sum / m_plan.model.tokens()});
    }
    m_lossesDone.clear();
    return losses;
}

std::vector<std::string> TrainingWorker::notes()
{
    std::vector<std::string> notes;
    if (m_pairsInTurn)
        notes.emplace_back(
            "overlapped pairs ran one pass after the other: the device does one thing at a time");
    if (std::string copies = m_onHost.text(); !copies.empty())
        notes.push_back(std::move(copies));
    return notes;
}

std::unique_ptr<Worker> makeTrainingWorker(const RunPlan& plan, RankId rank,
                                           std::shared_ptr<Ops> ops, SnapshotListener snapshot)
{
    return std::make_unique<TrainingWorker>(plan, rank, std::move(ops), std::move(snapshot));
}

} // namespace pw::exec
