// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "executor/api/rank_runner.h"

// What the ranks do around an update.

namespace pw::exec {

Result<void> RankRunner::reduce(std::int32_t index)
{
    const Reduction& reduction = m_plan.program.reductions[static_cast<std::size_t>(index)];
    const bool weights = reduction.kind == ReductionKind::Weights;
    if (weights)
        PW_DO(m_clipping->beforeWeights());
    return m_replicas->exchange(index, weights && m_clipping->isOpen());
}

/// An entry where it stands in the order.
Result<void> RankRunner::computeInTurn(EntryId index)
{
    const OrderEntry entry = m_plan.schedule.entry(index);
    PW_DO(m_clipping->beforeEntry(entry));
    return compute(index, entry);
}

Result<void> RankRunner::updates()
{
    const PipelineSpec& spec = m_plan.schedule.spec();
    PW_DO(m_clipping->beforeUpdates());
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) != device())
                continue;
            const Pass update{PassKind::U, static_cast<std::uint8_t>(route), stage, 0, 0};
            PW_DO(compute(EntryId::none(), single(update)));
        }
    }
    const std::vector<Reduction>& all = m_plan.program.reductions;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool here = all[i].ranks[0] == m_rank || all[i].ranks[1] == m_rank;
        if (all[i].kind == ReductionKind::Weights && here)
            PW_DO(reduce(static_cast<std::int32_t>(i)));
    }
    return {};
}

} // namespace pw::exec
