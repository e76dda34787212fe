// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Part of every test program. The watchdog of Qt Test is a thread of Qt, which nobody joins: where
// it is still ending while LeakSanitizer looks for leaks, what Qt keeps for it belongs to no thread
// any more and is not yet freed, and counts as a leak. So the program waits for its threads first.
#include "tests/support/sanitized.h"

#if PW_ADDRESS_SANITIZER

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>

namespace {

std::ptrdiff_t threadsOfThisProgram()
{
    std::error_code error;
    const std::filesystem::directory_iterator tasks("/proc/self/task", error);
    return error ? 1 : std::distance(begin(tasks), end(tasks));
}

/// A thread that never ends is not waited for longer than a second: leaks are then looked for as
/// ever.
void waitForThreads()
{
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (threadsOfThisProgram() > 1 && std::chrono::steady_clock::now() < limit)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Runs before the leaks are looked for: that was asked for before this.
[[gnu::constructor]] void askToWait()
{
    (void)std::atexit(waitForThreads);
}

} // namespace

#endif
