// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/trace.h"

#include <vector>

namespace pw {

/// Finds the passes of a rank with one stage where no label says them, as PyTorch's Schedule1F1B
/// leaves its traces.
///
/// Between two sends or receives a rank runs at most one forward and one backward. A forward is
/// what autograd's numbers or arrows lead to a backward from, its operators from the first to the
/// last; its backward is what they lead to, with the sums into gradients behind it. So neither
/// holds a wait. A receive is of the pass that follows, a send of the one before.
///
/// Passes get spans of their own around their operators, by the host's clock, and are numbered
/// through in the order of the forwards; `numberLinkedPasses` does the rest.
///
/// Nothing is done where a pass is labelled (but for "Forward 3", which is replaced), where nothing
/// is sent or received, or where a backward is of several forwards.
///
/// @param file  whose spans are the last of the trace; `linkedPasses` is set where passes were
/// found
/// @pre   the links of the file's operators are in `Trace::links`
void findLinkedPasses(Trace& trace, TraceNames& names, EventFile& file);

/// Gives passes that were found by links their iterations and micro-batches, and their stages: the
/// places of ranks in the process groups of their pipelines, or where these are not told of each,
/// what warm-ups tell: in 1F1B stage s of p begins p − s forwards before its first backward.
///
/// A step is the profiler's, where every file has them; else it ends where the rank with the most
/// forwards in flight has none. Where the files do not fit together, no pass is labelled, and a
/// warning says so.
void numberLinkedPasses(Trace& trace, const std::vector<EventFile>& files);

} // namespace pw
