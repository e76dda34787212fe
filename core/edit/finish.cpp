// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/edit/finisher.h"
#include "core/edit/wanted_passes.h"

#include <algorithm>

namespace pw {

Result<Proposal> finishRest(const Project& project, FinishRule rule, std::optional<Share> cap)
{
    PW_TRY(const auto draft, draftOf(project));
    PW_TRY(const auto wrong, problems(draft));
    if (!wrong.none() && wrong.list.front().code != ProblemCode::Missing)
        return fail(ErrorCode::BadSchedule, placed(wrong.list.front()));
    const Costs costs = costsOf(project);
    PW_DO(check(costs, draft.spec));
    PW_TRY(const auto wanted, wantedPasses(draft, rule == FinishRule::ZeroBubble));
    Share limit = costs.shareCap;
    if (cap && *cap > 0)
        limit = limit > 0 ? std::min(limit, *cap) : *cap;
    // Where a narrow cap stops the greedy way, fewer micro-batches at once may still run.
    Error reason;
    for (int open = draft.spec.totalMicroBatches();; open /= 2) {
        Finisher finisher(draft, costs, wanted, rule, limit, open);
        if (finisher.run()) {
            std::vector<std::vector<PlacedEntry>> added;
            for (FinishLane& lane : finisher.lanes()) {
                auto& list = added.emplace_back();
                for (const std::int32_t position : lane.added)
                    list.push_back({position, lane.order[static_cast<std::size_t>(position)]});
            }
            auto proposal = inserted(project, draft, std::move(added));
            if (proposal && !proposal->times.ring.empty())
                return fail(deadlockError(proposal->times.ring, draft.spec));
            return proposal;
        }
        reason = finisher.reason();
        if (open <= 1 || reason.code == ErrorCode::Deadlock)
            return fail(reason);
    }
}

} // namespace pw
