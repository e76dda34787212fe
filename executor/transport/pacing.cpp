// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/pacing.h"

#include "core/system/clocks.h"

#include <algorithm>
#include <thread>

namespace pw::exec {

namespace {

/// What a sleep overshoots by, nearly always.
constexpr Ticks lastStretch = 60'000;
constexpr Ticks longestSleep = 10 * ticksPerMs;

} // namespace

void tightenSleeps()
{
    sys::tightenSleeps();
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
        sys::sleepTight(std::min(longestSleep, spin ? left - lastStretch : left));
    }
}

} // namespace pw::exec
