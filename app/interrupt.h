// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/system/signals.h"
#include "executor/api/stop.h"

#include <optional>

namespace pw::app {

/// Exit codes of a program that a signal has ended begin here, as shells count: 130 after Ctrl-C.
constexpr int endedBySignal = 128;

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP ask a run to stop; a second one ends the
/// program at once. A signal that whoever started the program had ignored, as nohup does, stays
/// ignored. One at a time.
class Interrupt
{
public:
    /// @param stop  outlives this
    explicit Interrupt(exec::Stop& stop);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// The signal that asked to stop; 0: none did.
    static int received();
    /// From now on none did: before the next run of a program that makes several.
    static void forget();

private:
    std::optional<sys::EndingSignals> m_signals;
};

/// While it lives, the same signals end the program at once, whatever it does, and take the line
/// of progress off the terminal. For work that leaves nothing half done. One at a time.
class EndAtOnce
{
public:
    EndAtOnce();
    /// From now on it does nothing: this program is part of another one, which must not end.
    static void leaveAlone();
    ~EndAtOnce();
    EndAtOnce(const EndAtOnce&) = delete;
    EndAtOnce& operator=(const EndAtOnce&) = delete;

private:
    std::optional<sys::EndingSignals> m_signals;
};

} // namespace pw::app
