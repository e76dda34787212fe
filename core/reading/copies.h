// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <set>

namespace pw {

/// Parts ranks that several processes or threads say to be, and whose passes run at the same time.
///
/// A rank runs one pass after the other. Where the same passes (iteration, kind, stage, chunk,
/// micro-batch and segment) run on two rows of one rank at the same time, they are not the rank's
/// later iterations: rows of another process are a replica of the pipeline, `TraceRank::replica`;
/// rows of the same process are a run of their own that was written into the file too,
/// `TraceRank::run`. Rows of devices say what their host's rows say, and part nothing.
/// @return  numbers of the ranks that were parted
std::set<std::int32_t> partCopies(Trace& trace);

/// Whole runs that a trace holds, at least 1.
int runsOf(const Trace& trace);

/// Leaves nothing but one run in a trace. @pre 0 ≤ run < runsOf(trace)
void keepRun(Trace& trace, int run);

/// Leaves only some spans in a trace, and links and calls of those; their times stay.
void leaveSpans(Trace& trace, const std::function<bool(const TraceSpan&)>& keeps);

/// Leaves only some spans in a trace, with what is said of them; the earliest then starts at 0.
/// Counters and sums of ranks without spans go.
void keepSpans(Trace& trace, const std::function<bool(const TraceSpan&)>& keeps);

} // namespace pw
