// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "executor/api/transport.h"

#include <functional>

namespace pw::exec {

/// What a busy machine may take to wake a thread up. A modelled device goes by itself and does not
/// begin later for it; what takes longer is a stall of the machine, and counts.
constexpr Ticks mostWakeUp = 20 * ticksPerMs;

/// Lets sleeps of the calling thread end as close to their time as the system can.
void tightenSleeps();

/// What waiting actively costs nobody anything: a core for each of so many threads.
bool coresFor(int threads);

/// One turn of waiting actively.
void pauseBriefly();

/// Returns at `deadline`, never before it. Sleeps, and with `spin` waits actively for the last 60
/// microseconds, which a sleep would overshoot.
///
/// @param ended  asked every 10 ms at least; true ends the wait
/// @return       false where it was ended
bool paceUntil(const RunClock& clock, Ticks deadline, bool spin,
               const std::function<bool()>& ended);

} // namespace pw::exec
