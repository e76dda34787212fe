// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/clocks.h"

#ifdef __linux__
#include <sys/prctl.h>
#else
#include <chrono>
#include <thread>
#endif

namespace pw::sys {

bool localTime(std::time_t moment, std::tm& parts)
{
    return ::localtime_r(&moment, &parts) != nullptr;
}

bool universalTime(std::time_t moment, std::tm& parts)
{
    return ::gmtime_r(&moment, &parts) != nullptr;
}

std::int64_t steadyNow()
{
    constexpr std::int64_t second = 1'000'000'000;
    ::timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * second + now.tv_nsec;
}

#ifdef __linux__

void tightenSleeps()
{
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

void sleepTight(std::int64_t nanoseconds)
{
    constexpr std::int64_t second = 1'000'000'000;
    ::timespec wakeUp{};
    ::clock_gettime(CLOCK_MONOTONIC, &wakeUp);
    const std::int64_t end = wakeUp.tv_nsec + nanoseconds;
    wakeUp.tv_sec += static_cast<std::time_t>(end / second);
    wakeUp.tv_nsec = static_cast<long>(end % second);
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wakeUp, nullptr);
}

#else

void tightenSleeps() {}

void sleepTight(std::int64_t nanoseconds)
{
    std::this_thread::sleep_until(std::chrono::steady_clock::now() +
                                  std::chrono::nanoseconds(nanoseconds));
}

#endif

} // namespace pw::sys
