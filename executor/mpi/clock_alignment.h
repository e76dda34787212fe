// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/mpi/mpi_session.h"

namespace pw::exec {

/// How this process's session clock stands to that of rank 0.
struct ClockAlignment
{
    Ticks ahead = 0; ///< rank 0's time less ours
    Ticks band = 0;  ///< at most so far off: half of the shortest round trip; 0: one clock
};

/// One process of every other machine asks rank 0 many times; all others of a machine read the
/// clock that it reads. All processes call it, and come back from it together.
Result<ClockAlignment> alignToLead(MpiSession& session, const Patience& patience);

} // namespace pw::exec
