// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/pacing.h"

#include <algorithm>
#include <ctime>
#include <sys/prctl.h>
#include <thread>

namespace pw::exec {

namespace {

/// What a sleep overshoots by, nearly always.
constexpr Ticks lastStretch = 60'000;
constexpr Ticks longestSleep = 10 * ticksPerMs;

/// Until a moment, not for a length: an interrupted sleep is not longer for it.
void pauseFor(Ticks time)
{

    timespec wakeUp{};
    clock_gettime(CLOCK_MONOTONIC, &wakeUp);
    const Ticks nanoseconds = wakeUp.tv_nsec + time;
    wakeUp.tv_sec += static_cast<time_t>(nanoseconds / ticksPerSecond);
    wakeUp.tv_nsec = static_cast<long>(nanoseconds % ticksPerSecond);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wakeUp, nullptr);
}

} // namespace

void tightenSleeps()
{
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

bool coresFor(int threads)
{
    return static_cast<unsigned>(threads) <= std::thread::hardware_concurrency();
}

void pauseBriefly()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

bool paceUntil(const RunClock& clock, Ticks deadline, bool spin, const std::function<bool()>& ended)
{
    for (;;) {
        const Ticks left = deadline - clock.now();
        if (left <= 0)
            return true;
        if (spin && left <= lastStretch) {
            pauseBriefly();
            continue;
        }
        if (ended())
            return false;
        pauseFor(std::min(longestSleep, spin ? left - lastStretch : left));
    }
}

} // namespace pw::exec
