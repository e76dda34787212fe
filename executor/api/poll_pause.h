// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <chrono>
#include <thread>

namespace pw::exec {

/// Between two looks at what another thread or a device does: short at first, so that what is soon
/// there is soon seen.
/// @param turn  looks before this one
inline void pollPause(int turn)
{
    if (turn < 100)
        std::this_thread::yield();
    else
        std::this_thread::sleep_for(std::chrono::microseconds(20));
}

} // namespace pw::exec
