// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/wait_text.h"

#include "core/base/text.h"

namespace pw::exec {

namespace {

const Message& messageOf(const RunPlan& plan, std::int32_t message)
{
    return plan.program.messages[static_cast<std::size_t>(message)];
}

std::string resultText(const RunPlan& plan, std::int32_t message)
{
    return describe(messageOf(plan, message).producer, plan.schedule.spec());
}

std::string rankText(RankId rank)
{
    return "rank " + std::to_string(rank);
}

std::string waitText(const Patience& patience, Ticks waited, const std::string& what)
{
    return std::string(patience.what) + ": waited " + timeText(waited) + " for " + what;
}

tl::unexpected<Error> fault(const Patience& patience, const std::string& text)
{
    return fail(ErrorCode::Fault, "%1: %2", patience.what, text);
}

} // namespace

std::string sentText(const RunPlan& plan, std::int32_t message)
{
    return resultText(plan, message) + " from " + rankText(messageOf(plan, message).from);
}

std::string takenText(const RunPlan& plan, std::int32_t message)
{
    return rankText(messageOf(plan, message).to) + " to take " + resultText(plan, message);
}

std::string gradientText(const RunPlan& plan, std::int32_t reduction, RankId peer)
{
    const Reduction& what = plan.program.reductions[static_cast<std::size_t>(reduction)];
    return "the gradients of stage " + std::to_string(what.stage) + " for update " +
           std::to_string(what.update) + " from " + rankText(peer);
}

tl::unexpected<Error> waitedInVain(const Patience& patience, Ticks waited, const std::string& what)
{
    if (patience.overdue != nullptr)
        *patience.overdue = true;
    return fail(ErrorCode::Fault, waitText(patience, waited, what));
}

tl::unexpected<Error> cameInstead(const Patience& patience, const RunPlan& plan, std::int32_t got,
                                  std::int32_t due)
{
    return fault(patience, resultText(plan, got) + " came from " +
                               rankText(messageOf(plan, due).from) + " where " +
                               resultText(plan, due) + " was due");
}

tl::unexpected<Error> peerGaveUp(const Patience& patience, RankId peer)
{
    return fault(patience, rankText(peer) + " has given up");
}

tl::unexpected<Error> stopped(const Patience& patience)
{
    return fail(ErrorCode::Cancelled, "%1: stopped", patience.what);
}

tl::unexpected<Error> stopped(const Patience& patience, Ticks waited, const std::string& what)
{
    return fail(ErrorCode::Cancelled, waitText(patience, waited, what));
}

} // namespace pw::exec
