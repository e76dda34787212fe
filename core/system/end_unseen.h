// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <atomic>
#include <cstdlib>

namespace pw::sys {

/// `atEnd` where who is called at the end of a process is not told its status.
inline void atEndUnseen(void (*last)(int status), int otherwise)
{
    static std::atomic<void (*)(int)> function{nullptr};
    static std::atomic<int> status{0};
    function = last;
    status = otherwise;
    std::atexit([] { function.load()(status); });
}

} // namespace pw::sys
