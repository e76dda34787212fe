// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/clocks.h"

#include <chrono>
#include <thread>

namespace pw::sys {

bool localTime(std::time_t moment, std::tm& parts)
{
    return ::localtime_s(&parts, &moment) == 0;
}

bool universalTime(std::time_t moment, std::tm& parts)
{
    return ::gmtime_s(&parts, &moment) == 0;
}

std::int64_t steadyNow()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void tightenSleeps() {}

void sleepTight(std::int64_t nanoseconds)
{
    std::this_thread::sleep_until(std::chrono::steady_clock::now() +
                                  std::chrono::nanoseconds(nanoseconds));
}

} // namespace pw::sys
