// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace pw {

/// Sorts the ranks of a trace by run, replica and number, those without a number last, with all
/// that says a rank but tracks.
/// @return  the place of each rank as it was, for the tracks
std::vector<TraceRankId> sortRanks(Trace& trace);

} // namespace pw
