// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/edge_costs.h"
#include "core/trace/recover.h"

namespace pw {

/// Finds them. Of first and last passes only what comes back in at least three quarters of three
/// or more iterations counts.
///
/// @param message  what a message takes: one that was sent so long before a pass was free to begin
///                 did not hold it up
/// @pre            the pipeline has a schedule
PassEdges passEdges(const RecoveredPipeline& pipeline, Ticks message);

} // namespace pw
