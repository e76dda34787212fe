// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"

#include <atomic>

namespace pw::exec {

/// How long messages travel.
enum class LinkTimes : std::uint8_t
{
    None,    ///< as long as they really do
    Real,    ///< as the plan's costs say, counted from when they are sent
    Planned, ///< the same, counted by the plan's own clock
};

/// When both sides of a message came to it, on the run's clock and on the plan's.
struct MessageSides
{
    Ticks sent = 0;
    Ticks posted = 0; ///< by the receiver
    Ticks sentByPlan = 0;
    Ticks postedByPlan = 0;
};

/// When a transfer began and ends.
struct Transfer
{
    Ticks start = 0; ///< on the run's clock
    Ticks end = 0;   ///< on the run's clock
    Ticks due = 0;   ///< the end on the plan's clock, where links follow that
};

/// What the links of a plan do to its messages, for every transport.
///
/// The link trace runs from the start of an iteration, or, where the plan says so, on over all
/// iterations from the start of the first one.
class LinkModel
{
public:
    /// @param plan  must outlive the model
    LinkModel(const RunPlan& plan, LinkTimes times);

    LinkTimes times() const { return m_times; }

    /// @param base  start of the iteration on the run's clock
    Transfer message(std::int32_t index, const MessageSides& sides, Ticks base) const;
    /// Weight gradients that come from a peer. Each side's leave when they are complete, as a
    /// simulation has it.
    /// @param start   both sides were there
    /// @param byPlan  when the peer's were complete by the plan's clock
    Transfer reduction(std::int32_t index, DeviceId from, DeviceId to, Ticks start, Ticks byPlan,
                       Ticks base) const;
    /// How long after the last rank has come an iteration starts: by the plan's clock nothing
    /// starts before the slowest has woken up.
    Ticks startMargin() const;

private:
    /// Where in the link trace an iteration starts.
    Ticks traceAt(Ticks base) const;

    const RunPlan& m_plan;
    /// Start of the first iteration on the run's clock, once there is one.
    mutable std::atomic<Ticks> m_first{-1};
    LinkTimes m_times;
    bool m_committed;
};

} // namespace pw::exec
