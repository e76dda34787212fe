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
    const int all = draft.spec.totalMicroBatches();
    const auto finished = [&](int open, bool room) -> Result<Proposal> {
        Finisher finisher(draft, costs, wanted, rule, limit, open, room);
        if (!finisher.run())
            return fail(finisher.reason());
        std::vector<std::vector<PlacedEntry>> added;
        for (const DeviceId device : Ids<DeviceId>(draft.spec.devices))
            added.push_back(finisher.added(device));
        auto proposal = inserted(project, draft, std::move(added));
        if (proposal && !proposal->times.ring.empty())
            return fail(deadlockError(proposal->times.ring, draft.spec));
        return proposal;
    };
    Result<Proposal> best = finished(all, false);
    if (best || best.error().code == ErrorCode::Deadlock)
        return best;
    // Where a narrow cap stops the greedy way, fewer micro-batches at once may still run, or all of
    // them where each leaves room for the oldest.
    for (int open = all / 2; open >= 1 && !best && best.error().code != ErrorCode::Deadlock;
         open /= 2)
        best = finished(open, false);
    Result<Proposal> roomy = finished(all, true);
    if (roomy && (!best || roomy->times.times.makespan < best->times.times.makespan))
        return roomy;
    return best;
}

} // namespace pw
