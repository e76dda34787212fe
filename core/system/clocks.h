// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <ctime>

namespace pw::sys {

/// Both are false where the moment has no such time.
bool localTime(std::time_t moment, std::tm& parts);
bool universalTime(std::time_t moment, std::tm& parts);

/// Nanoseconds since some moment, by a clock that nobody sets: the one that sleeps count in, and
/// the same for all processes of the machine.
std::int64_t steadyNow();
/// From now on this thread's sleeps end as close to their time as the system can.
void tightenSleeps();
/// Sleeps until a moment, and not for a length: one that is interrupted is not longer for it.
/// @param nanoseconds  from now on
void sleepTight(std::int64_t nanoseconds);

} // namespace pw::sys
