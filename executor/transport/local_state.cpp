// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/local_state.h"

#include "core/base/assert.h"
#include "executor/transport/pacing.h"

#include <map>
#include <utility>

namespace pw::exec {

LocalTransport::State::State(const RunPlan& thePlan, const RunClock& theClock, LinkTimes theTimes,
                             PlanClock* thePlanned)
    : plan(thePlan)
    , clock(theClock)
    , links(thePlan, theTimes)
    , planned(thePlanned)
    , committed(thePlan.schedule.spec().messages == MessageRule::Committed)
    , spin(coresFor(thePlan.schedule.devices()))
    , meetings(static_cast<std::size_t>(thePlan.schedule.devices()))
    , boxes(thePlan.program.messages.size())
    , swaps(thePlan.program.reductions.size())
    , swapsAgain(thePlan.postValidation ? thePlan.program.reductions.size() : 0)
{
    PW_ASSERT(theTimes != LinkTimes::Planned || planned != nullptr);
    barrier.arrived.resize(meetings.size());
    told.resize(meetings.size());
    drawLines();
}

void LocalTransport::State::drawLines()
{
    std::map<std::pair<RankId, RankId>, std::int32_t> lineOf;
    std::vector<std::int32_t> last;
    for (const auto& instructions : plan.program.ranks) {
        for (const Instruction& instruction : instructions) {
            if (instruction.kind != InstructionKind::Send)
                continue;
            const Message& message = messageOf(instruction.index);
            const auto [place, isNew] = lineOf.emplace(std::pair(message.from, message.to),
                                                       static_cast<std::int32_t>(lines.size()));
            if (isNew) {
                lines.push_back({instruction.index, -1, never});
                last.push_back(-1);
            }
            std::int32_t& before = last[static_cast<std::size_t>(place->second)];
            if (before >= 0)
                boxOf(before).next = instruction.index;
            before = instruction.index;
            boxOf(instruction.index).line = place->second;
        }
    }
}

Result<void> LocalTransport::State::goesOn(const Patience& patience) const
{
    if (patience.stop.requested())
        return stopped(patience);
    if (const RankId rank = aborter.load(std::memory_order_acquire); rank.valid())
        return peerGaveUp(patience, rank);
    return {};
}

void LocalTransport::State::spinFor(Meeting& meeting, std::unique_lock<std::mutex>& lock) const
{
    if (!spin)
        return;
    constexpr int turns = 400;
    const std::uint32_t seen = meeting.version.load(std::memory_order_acquire);
    lock.unlock();
    for (int i = 0; i < turns && meeting.version.load(std::memory_order_acquire) == seen; ++i)
        pauseBriefly();
    lock.lock();
}

Result<void> LocalTransport::State::hold(const Transfer& transfer, const Patience& patience) const
{
    if (links.times() == LinkTimes::None)
        return {};
    Result<void> on;
    paceUntil(clock, transfer.end, spin, [&] { return !(on = goesOn(patience)); });
    return on;
}

} // namespace pw::exec
