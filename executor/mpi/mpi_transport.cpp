// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_transport.h"

#include "core/base/assert.h"
#include "executor/mpi/mpi_endpoint.h"

namespace pw::exec {

MpiTransport::State::State(MpiSession& theSession, std::int32_t theRun, const RunPlan& thePlan,
                           const RunClock& theClock, LinkTimes times, PlanClock* thePlanned,
                           MpiCarries theCarries)
    : session(theSession)
    , run(theRun)
    , plan(thePlan)
    , clock(theClock)
    , links(thePlan, times)
    , planned(thePlanned)
    , carries(theCarries)
    , ahead(theSession.clock().base() - theClock.base())
{
    PW_ASSERT(times != LinkTimes::Planned || planned != nullptr);
}

MpiTransport::MpiTransport(MpiSession& session, std::int32_t run, const RunPlan& plan,
                           const RunClock& clock, LinkTimes times, PlanClock* planned,
                           MpiCarries carries)
    : m_state(std::make_shared<State>(session, run, plan, clock, times, planned, carries))
{
}

MpiTransport::~MpiTransport() = default;

std::vector<RankId> MpiTransport::ranks() const
{
    return {m_state->session.rank()};
}

Result<std::unique_ptr<Endpoint>> MpiTransport::endpoint(RankId rank)
{
    if (rank != m_state->session.rank() || rank >= m_state->plan.schedule.devices())
        return fail(ErrorCode::BadValue, "rank %1 is not in this process", rank);
    return std::make_unique<MpiEndpoint>(m_state);
}

Ticks MpiTransport::iterationStart() const
{
    return m_state->iterationStart.load(std::memory_order_relaxed);
}

} // namespace pw::exec
