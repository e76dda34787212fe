// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/recover.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace pw {

/// Where something that was not recorded must have been.
struct TraceHole
{
    TraceRankId rank;         ///< none: the rank itself is missing
    std::int32_t number = -1; ///< of the rank, as files would say it; −1: not known
    std::string text;         ///< "F3 of stage 1 is missing"
    Ticks from = 0;           ///< it lies between these; the passes around it say so
    Ticks to = 0;

    friend bool operator==(const TraceHole&, const TraceHole&) = default;
};

/// The passes that the iteration shown lacks, each in the pause of its rank in which its neighbours
/// (the same kind and stage of the micro-batches before and behind) leave it, the longest one; and
/// the ranks that are missing between those that are there. Several passes may have one pause.
std::vector<TraceHole> holesOf(const Trace& trace, const RecoveredPipeline& pipeline);

/// Adds the holes as spans of tracks of their own, so that every picture of the trace shows them; a
/// missing rank becomes one. They are not passes.
void markHoles(Trace& trace, const std::vector<TraceHole>& holes);

} // namespace pw
