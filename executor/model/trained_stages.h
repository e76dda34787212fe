// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/gpt_stage.h"

#include <deque>
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

/// The stages that a rank hosts, with their weights: what is done to them all at once, or together
/// with the copies that other ranks have. The functions of a `Worker` by the same names.
class TrainedStages
{
public:
    /// References outlive this.
    TrainedStages(const RunPlan& plan, RankId rank, Ops& ops)
        : m_plan(plan)
        , m_spec(plan.schedule.spec())
        , m_rank(rank)
        , m_ops(ops)
    {
    }

    /// Makes them, or goes on with what they have come to in the run before.
    /// @param segmentTokens  of each segment
    Result<void> begin(const std::vector<int>& segmentTokens);
    void beginIteration();
    /// @pre it is hosted here
    Hosted& at(HostedStage where);
    /// Whether one of them ends in the loss.
    bool anyOutputs() const;

    Result<Packet> gradients(HostedStage where, int update);
    Result<void> addGradients(HostedStage where, int update, Packet packet);
    Result<Packet> shard(HostedStage where, int update, ReductionKind kind, int shard);
    Result<void> takeShard(HostedStage where, int update, ReductionKind kind, int shard,
                           Packet packet);
    double gradientSquares(int update);
    void scaleGradients(double factor);
    void keepForRollback();
    void rollBack(int update, double factor);
    void settled(int update);
    /// Keeps what they have come to for the next run.
    void end();

private:
    Result<void> goOn(Hosted& hosted);

    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    RankId m_rank;
    Ops& m_ops;
    std::deque<Hosted> m_hosted;
};

} // namespace pw::exec
