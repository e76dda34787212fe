// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/text.h"
#include "core/base/types.h"
#include "executor/api/stop.h"
#include "executor/model/ops.h"

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

namespace pw::exec::cuda {

/// How long somebody waits for a device, and on whose word no longer.
struct DeviceWait
{
    const Stop* stop = nullptr; ///< may be null
    Ticks limit = 0;
};

/// Asks `done` until it says true: at once for a while, then every few microseconds.
///
/// @throws DeviceError  the stop was requested, or the limit has passed; names `what`
/// @throws …            whatever `done` throws
template<typename Done>
void pollUntil(Done done, const DeviceWait& wait, std::string_view what)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds spinning{100};
    constexpr std::chrono::microseconds pause{20};
    const Clock::time_point begun = Clock::now();
    while (!done()) {
        if (wait.stop != nullptr && wait.stop->requested())
            throw DeviceError("the run was stopped before " + std::string(what) + " was done");
        const auto waited = Clock::now() - begun;
        if (waited > std::chrono::nanoseconds(wait.limit))
            throw DeviceError(std::string(what) + " is not done after " + timeText(wait.limit));
        if (waited > spinning)
            std::this_thread::sleep_for(pause);
    }
}

} // namespace pw::exec::cuda
