// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/stop.h"

#include <csignal>

namespace pw::app {

/// While it lives, Ctrl-C (SIGINT) and SIGTERM ask a run to stop; a second one ends the program at
/// once. One at a time.
class Interrupt
{
public:
    /// @param stop  outlives this
    explicit Interrupt(exec::Stop& stop);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

private:
    struct sigaction m_interrupt = {}; // as they were
    struct sigaction m_terminate = {};
};

} // namespace pw::app
