// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/gpt_stage.h"
#include "executor/model/host_cells.h"
#include "executor/model/micro_batch_text.h"

#include <deque>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pw::exec {

/// A stage that the rank hosts.
struct Hosted
{
    Hosted(Ops& ops, const RunPlan& plan, HostedStage where)
        : stage(where)
        , weights(ops, plan, where)
        , compute(ops, plan.model, plan.split[static_cast<std::size_t>(where.stage)])
    {
    }

    HostedStage stage;
    WeightVersions weights;
    GptStage compute;
    std::deque<CellLayout> layouts; ///< by segment
};

/// The worker of `makeTrainingWorker`.
class TrainingWorker final : public Worker
{
public:
    TrainingWorker(const RunPlan& plan, RankId rank, std::shared_ptr<Ops> ops,
                   SnapshotListener snapshot)
        : m_plan(plan)
        , m_spec(plan.schedule.spec())
        , m_rank(rank)
        , m_ops(std::move(ops))
        , m_snapshot(std::move(snapshot))
        , m_scratch(*m_ops)
        , m_onHost(*m_ops)
    {
    }

    Result<void> begin() override;
    Result<void> beginIteration(int iteration) override;
    Result<void> deliver(const Pass& producer, Packet packet) override;
    Result<Computed> compute(const OrderEntry& entry) override;
    Result<Packet> take(const Pass& producer) override;
    Result<void> move(const HostMove& move, InstructionKind what) override;
    std::vector<Copied> takeCopies() override { return m_onHost.takeCopies(); }
    Result<Packet> gradients(HostedStage stage, int update) override;
    Result<void> addGradients(HostedStage stage, int update, Packet packet) override;
    Result<Packet> shard(HostedStage stage, int update, ReductionKind kind, int shard) override;
    Result<void> takeShard(HostedStage stage, int update, ReductionKind kind, int shard,
                           Packet packet) override;
    Result<double> gradientSquares(int update) override;
    Result<void> scaleGradients(int update, double factor) override;
    Result<void> keepForRollback(int update) override;
    Result<void> rollBack(int update, double factor) override;
    Result<void> forget(const OrderEntry& entry) override;
    void settled(int update) override;
    Result<void> end() override;
    std::vector<MicroBatchLoss> takeLosses() override;
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
    Hosted& hosted(int route, StageId stage);
    std::int32_t cellNumber(const Pass& pass) const
    {
        return m_plan.schedule.table().cell(pass.stage, pass.microBatch, pass.segment);
    }
    /// The pass of the next stage, in the pass's direction, that uses its result; none at the end.
    std::optional<Pass> consumer(const Pass& producer) const;
    Bytes resultBytes(const Pass& pass);

    Result<void> carryOut(const HostMove& move, InstructionKind what);
    Result<void> beOnDevice(const Pass& pass);
    Result<bool> moveWithin();
    Result<void> startPass(Running& running);
    Result<void> startForward(Running& running);
    Result<void> startBackward(Running& running);
    Result<Buffer> takeInput(const Running& running, PassKind producer);
    void takeResult(Running& running, bool wanted);
    void uploadTarget(Running& running);
    Tokens upload(void* to, const std::vector<std::int32_t>& tokens);

    void runPass(Running& running);
    void runUpdate(const Running& running);
    bool leavesOutWeights(const Pass& pass) const;

    /// What the training has come to in the run before, where there was one.
    Result<void> goOn(Hosted& hosted);

    void endPass(Running& running);
    void endCell(Running& running);
    void handOver(Running& running);

    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    RankId m_rank;
    std::shared_ptr<Ops> m_ops;
    SnapshotListener m_snapshot;
    Scratch m_scratch;

    std::deque<Hosted> m_hosted;
    std::vector<int> m_segmentTokens;
    int m_iteration = 0;
    std::unordered_map<std::int32_t, Cell> m_cells;
    HostCells m_onHost;
    std::vector<std::pair<const HostMove*, InstructionKind>> m_within; ///< the entry to come
    std::map<Pass, Buffer> m_arrived;  ///< by producer: results for this rank
    std::map<Pass, Buffer> m_outgoing; ///< by producer: results for other ranks
    Buffer m_losses;                   ///< a float a micro-batch
    std::vector<std::int32_t> m_lossesDone;
    bool m_pairsInTurn = false;
};

} // namespace pw::exec
