// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/ops.h"

#include <map>
#include <optional>
#include <vector>

namespace pw::exec {

/// What passes of a rank leave for passes of the next stage: here, or on their way from and to
/// other ranks. By the pass that made it.
class PassResults
{
public:
    /// References outlive this.
    /// @param segmentTokens  of each segment, from the first result on
    PassResults(const RunPlan& plan, RankId rank, Ops& ops, const std::vector<int>& segmentTokens)
        : m_plan(plan)
        , m_spec(plan.schedule.spec())
        , m_rank(rank)
        , m_ops(ops)
        , m_segmentTokens(segmentTokens)
    {
    }

    /// A result of another rank.
    /// @error Fault  it has not its size
    Result<void> deliver(const Pass& producer, Packet packet);
    /// A result for another rank.
    /// @error Fault  there is none
    Result<Packet> take(const Pass& producer);
    /// What a pass takes from the stage before it.
    /// @param producer  F, or B for the gradient, which may be of a BW
    /// @error Fault     it is not there
    Result<Buffer> input(const Pass& pass, PassKind producer);
    /// Leaves a result for its consumer; drops it where there is none.
    void handOver(const Pass& producer, Buffer result);
    void forget(const Pass& producer);

private:
    /// The pass of the next stage, in the pass's direction, that uses its result; none at the end.
    std::optional<Pass> consumer(const Pass& producer) const;
    Bytes bytesOf(const Pass& producer) const;

    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    RankId m_rank;
    Ops& m_ops;
    const std::vector<int>& m_segmentTokens;
    std::map<Pass, Buffer> m_arrived;  // for this rank
    std::map<Pass, Buffer> m_outgoing; // for other ranks
};

} // namespace pw::exec
