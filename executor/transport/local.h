// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/transport.h"
#include "executor/transport/link_model.h"
#include "executor/transport/plan_clock.h"

#include <memory>

namespace pw::exec {

/// Ranks that are threads of one process: results change hands without a copy.
///
/// A message has a place of its own, so any order of receives is fine. What a rank sends to
/// another one must come in the order of the plan's program: what is lost or wrongly named is
/// noticed by the message after it.
///
/// Where links take time, the message waits for its deadline and not the sender. The link trace
/// runs from the start of an iteration. `wait` returns when the message is there. With `Planned`,
/// `Packet::due` of a sent result is when it was sent by the plan's own clock, and of one that has
/// come its arrival by that clock. Under `MessageRule::Committed` a transfer begins when both sides
/// have come to it; `waitPosted` then moves the sender's plan clock on to its end.
class LocalTransport final : public Transport
{
public:
    /// @param plan     must outlive the transport, as must the clocks
    /// @param planned  needed for `LinkTimes::Planned`
    LocalTransport(const RunPlan& plan, const RunClock& clock, LinkTimes times = LinkTimes::None,
                   PlanClock* planned = nullptr);
    ~LocalTransport() override;

    std::string_view name() const override { return "in-process"; }
    std::vector<RankId> ranks() const override;
    Result<std::unique_ptr<Endpoint>> endpoint(RankId rank) override;

    /// When the last barrier opened: 0 of the plan's clock. With `LinkTimes::Planned` a little
    /// later, so that all ranks are awake by then.
    Ticks iterationStart() const;
    /// Whether a rank has given up.
    bool aborted() const;

    /// Shared by the endpoints; defined where they are.
    struct State;

private:
    std::shared_ptr<State> m_state;
};

} // namespace pw::exec
