// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/transport.h"
#include "executor/api/worker.h"
#include "executor/transport/plan_clock.h"

#include <functional>
#include <memory>

namespace pw::exec {

/// What an emulated device needs of its surroundings.
struct EmulatedDevice
{
    PlanClock* planned = nullptr;            ///< shared with the transport
    std::function<Ticks()> iterationStart{}; ///< 0 of the plan's clock on the run's
    std::function<bool()> ended{};           ///< whether the run is over; ends a pass at once
    /// Sees start and end of every entry by the plan's clock, on the rank's thread; may be empty.
    std::function<void(const OrderEntry&, Ticks start, Ticks end)> listener{};
};

/// The most of a message that really travels.
constexpr Bytes mostEmulatedBytes = 64 << 10;

/// A device that computes nothing, but takes its time for it.
///
/// An entry starts by the plan's clock when the one before has ended and its inputs are due, and
/// holds the device for its modelled time. The thread sleeps towards these moments on the run's
/// clock, so that an entry that is late makes none after it late. What is recorded is when it
/// really happened. Results carry a pattern that the receiver checks.
std::unique_ptr<Worker> makeEmulatedWorker(const RunPlan& plan, RankId rank, const RunClock& clock,
                                           EmulatedDevice device);

} // namespace pw::exec
