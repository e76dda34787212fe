// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/exposure.h"
#include "core/trace/align_clocks.h"

#include <vector>

namespace pw {

/// What an import finds beside the passes, and what the passes of a kept run no longer tell: its
/// times are those of one clock, and sends and receives of foreign traces are not messages of a
/// program.
struct TraceFigures
{
    AlignedClocks clocks;                   ///< lists of messages are not kept
    std::vector<DeviceTransfers> transfers; ///< by device; of the whole trace

    bool empty() const { return clocks.outcome == ClockOutcome::Unknown && transfers.empty(); }
};

/// The figures of a trace whose pipeline has a schedule.
/// @param transfers  by rank of the trace; ranks that are not devices are left out
TraceFigures traceFigures(const RecoveredPipeline& pipeline, const AlignedClocks& clocks,
                          const std::vector<RankTransfers>& transfers);

} // namespace pw
