// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/host_cells.h"
#include "executor/model/pass_results.h"
#include "executor/model/pass_texts.h"
#include "executor/model/trained_stages.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace pw::exec {

/// The worker of `makeTrainingWorker`.
class TrainingWorker final : public Worker
{
public:
    TrainingWorker(const RunPlan& plan, RankId rank, std::shared_ptr<Ops> ops,
                   SnapshotListener snapshot)
        : m_plan(plan)
        , m_spec(plan.schedule.spec())
        , m_ops(std::move(ops))
        , m_snapshot(std::move(snapshot))
        , m_scratch(*m_ops)
        , m_stages(plan, rank, *m_ops)
        , m_onHost(*m_ops)
        , m_results(plan, rank, *m_ops, m_segmentTokens)
        , m_texts(plan, *m_ops)
    {
    }

    Result<void> begin() override;
    Result<void> beginIteration(int iteration) override;
    Result<void> deliver(const Pass& producer, Packet packet) override
    {
        return m_results.deliver(producer, std::move(packet));
    }
    Result<Computed> compute(const OrderEntry& entry) override;
    Result<Packet> take(const Pass& producer) override { return m_results.take(producer); }
    Result<void> move(const HostMove& move, InstructionKind what) override;
    std::vector<Copied> takeCopies() override { return m_onHost.takeCopies(); }
    Result<Packet> gradients(HostedStage stage, int update) override
    {
        return m_stages.gradients(stage, update);
    }
    Result<void> addGradients(HostedStage stage, int update, Packet packet) override
    {
        return m_stages.addGradients(stage, update, std::move(packet));
    }
    Result<Packet> shard(HostedStage stage, int update, ReductionKind kind, int shard) override
    {
        return m_stages.shard(stage, update, kind, shard);
    }
    Result<void> takeShard(HostedStage stage, int update, ReductionKind kind, int shard,
                           Packet packet) override
    {
        return m_stages.takeShard(stage, update, kind, shard, std::move(packet));
    }
    Result<double> gradientSquares(int update) override { return m_stages.gradientSquares(update); }
    Result<void> scaleGradients(int, double factor) override
    {
        m_stages.scaleGradients(factor);
        return {};
    }
    Result<void> keepForRollback(int) override
    {
        m_stages.keepForRollback();
        return {};
    }
    Result<void> rollBack(int update, double factor) override
    {
        m_stages.rollBack(update, factor);
        return {};
    }
    Result<void> forget(const OrderEntry& entry) override;
    void settled(int update) override { m_stages.settled(update); }
    Result<void> end() override
    {
        m_stages.end();
        return {};
    }
    std::vector<MicroBatchLoss> takeLosses() override { return m_texts.takeLosses(); }
    std::optional<Ticks> time(Mark mark) override { return m_ops->time(mark); }
    Result<void> health() override { return m_ops->health(); }
    std::vector<std::string> notes() override;

private:
    /// A pass at work.
    struct Running
    {
        Pass pass;
        Hosted* hosted = nullptr;
        Cell* cell = nullptr; ///< none for U
        std::vector<Cell*> earlier{};
        int version = 0;
        Buffer result{}; ///< on its way to another stage, or none
        Matrix out{};
        TextRows text{};
        Target target{};
    };

    bool first(const Pass& pass) const { return pass.stage == 0; }
    bool last(const Pass& pass) const { return pass.stage + 1 == m_spec.stages(); }
    std::int32_t cellNumber(const Pass& pass) const
    {
        return m_plan.schedule.table().cell(pass.stage, pass.microBatch, pass.segment);
    }
    Result<void> carryOut(const HostMove& move, InstructionKind what);
    Result<void> beOnDevice(const Pass& pass);
    Result<bool> moveWithin();
    Result<void> startPass(Running& running);
    Result<void> startForward(Running& running);
    Result<void> startBackward(Running& running);
    void takeResult(Running& running, bool wanted);
    void takeText(Running& running);

    void runPass(Running& running);
    void runUpdate(const Running& running);

    void endPass(Running& running);
    void endCell(Running& running);

    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    std::shared_ptr<Ops> m_ops;
    SnapshotListener m_snapshot;
    Scratch m_scratch;

    TrainedStages m_stages;
    std::vector<int> m_segmentTokens;
    int m_iteration = 0;
    std::unordered_map<std::int32_t, Cell> m_cells;
    HostCells m_onHost;
    std::vector<std::pair<const HostMove*, InstructionKind>> m_within; ///< the entry to come
    PassResults m_results;
    PassTexts m_texts;
    bool m_pairsInTurn = false;
};

} // namespace pw::exec
