// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/transport.h"
#include "executor/mpi/mpi_session.h"
#include "executor/transport/link_model.h"
#include "executor/transport/plan_clock.h"

#include <memory>

namespace pw::exec {

/// What of a result travels.
enum class MpiCarries : bool
{
    Results,
    Heads ///< how many bytes there are, and when; the result itself goes another way
};

/// Ranks that are processes, one each: results in host memory travel by MPI.
///
/// As with `LocalTransport`, what a rank sends to another one must come in the order of the plan's
/// program, and links take the plan's times where they are asked to.
class MpiTransport final : public Transport
{
public:
    /// @param session  must outlive the transport, as must the plan and the clocks
    /// @param run      number of the run, the same on all ranks and on no other run
    /// @param clock    aligned with that of rank 0
    /// @param planned  needed for `LinkTimes::Planned`
    MpiTransport(MpiSession& session, std::int32_t run, const RunPlan& plan, const RunClock& clock,
                 LinkTimes times = LinkTimes::None, PlanClock* planned = nullptr,
                 MpiCarries carries = MpiCarries::Results);
    ~MpiTransport() override;

    std::string_view name() const override { return "mpi"; }
    std::vector<RankId> ranks() const override;
    /// @pre called once
    Result<std::unique_ptr<Endpoint>> endpoint(RankId rank) override;

    /// When the iteration at hand starts, as rank 0 said at the last barrier: 0 of the plan's
    /// clock.
    Ticks iterationStart() const;

    /// Shared with the endpoint; defined where that is.
    struct State;

private:
    std::shared_ptr<State> m_state;
};

} // namespace pw::exec
