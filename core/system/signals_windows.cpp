// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/process.h"
#include "core/system/signals.h"
#include "core/system/windows_words.h"

#include <atomic>

namespace pw::sys {

namespace {

std::atomic<void (*)(int)> endingHandler{nullptr};

/// Called by a thread of the system's.
BOOL WINAPI onEnding(DWORD event)
{
    void (*const handler)(int) = endingHandler.load();
    if (handler == nullptr)
        return FALSE;
    constexpr int hangUp = 1, interrupt = 2, terminate = 15;
    switch (event) {
    case CTRL_C_EVENT:
        handler(interrupt);
        return TRUE;
    case CTRL_CLOSE_EVENT:
        handler(hangUp);
        return TRUE;
    default: // Ctrl-Break, the end of the session
        handler(terminate);
        return TRUE;
    }
}

} // namespace

struct EndingSignals::Before
{
};

EndingSignals::EndingSignals(void (*handler)(int))
{
    endingHandler.store(handler);
    ::SetConsoleCtrlHandler(onEnding, TRUE);
}

EndingSignals::~EndingSignals()
{
    ::SetConsoleCtrlHandler(onEnding, FALSE);
    endingHandler.store(nullptr);
}

void endBy(int signal)
{
    endProcess(128 + signal); // as a shell would count it
}

} // namespace pw::sys
