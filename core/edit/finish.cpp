// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/edit/finisher.h"
#include "core/edit/wanted_passes.h"

#include <algorithm>

namespace pw {

/// Whether a forward leaves room for the oldest micro-batch of its device: that one can always go
/// on.
bool Finisher::leavesRoom(DeviceId device, const FinishKey& key)
{
    if (!m_room)
        return true;
    FinishLane& lane = m_lanes[static_cast<std::size_t>(device)];
    const Pass pass = m_wanted.pass(PassId(std::get<3>(key)));
    ActivationChange held = oldestNeeds(device, lane);
    if (pass.microBatch == lane.oldest)
        return true;
    const ActivationChange more = change(pass);
    held.share += lane.share + more.share;
    held.bytes += lane.bytes + more.bytes;
    const bool share = m_cap > 0 && held.share > m_cap;
    const bool bytes = lane.cap > 0 && held.bytes > lane.cap;
    if (share || bytes)
        m_short = {device, pass, !share};
    return !share && !bytes;
}

/// What the device still has to take of its oldest micro-batch that is not through.
ActivationChange Finisher::oldestNeeds(DeviceId device, FinishLane& lane)
{
    const auto& hosted = m_chunks[static_cast<std::size_t>(device)];
    ActivationChange sum;
    for (bool found = false; !found && lane.oldest < m_spec.totalMicroBatches();) {
        for (const HostedStage& one : hosted) {
            if (one.route != m_spec.route(lane.oldest))
                continue;
            for (int q = 0; q < m_spec.segments(); ++q)
                found = addNeeds(one, lane.oldest, q, sum) || found;
        }
        lane.oldest += found ? 0 : 1;
    }
    return sum;
}

/// @return whether a pass of the cell has not begun
bool Finisher::addNeeds(const HostedStage& hosted, int microBatch, int segment,
                        ActivationChange& sum)
{
    bool open = false;
    for (const PassKind kind : {PassKind::F, PassKind::R, PassKind::B, PassKind::W}) {
        const PassId id = m_wanted.table().id(
            {kind, static_cast<std::uint8_t>(hosted.route), hosted.stage, microBatch, segment});
        if (!m_wanted.has(id) || m_begun[static_cast<std::size_t>(id.value)])
            continue;
        open = true;
        if (const Pass pass = m_wanted.pass(id); adds(pass)) {
            const ActivationChange more = change(pass);
            sum.share += more.share;
            sum.bytes += more.bytes;
        }
    }
    return open;
}

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
        for (FinishLane& lane : finisher.lanes()) {
            auto& list = added.emplace_back();
            for (const std::int32_t position : lane.added)
                list.push_back({position, lane.order[static_cast<std::size_t>(position)]});
        }
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
