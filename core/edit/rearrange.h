// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/compose.h"

namespace pw {

// What the steps of a building block are for an order that stands already. Each leaves the project
// as it is and proposes an edit, as those of compose.h do.

/// The passes of a micro-batch again, as a block at its least interval without collision, for the
/// micro-batches that have no passes yet; where all have some, for one more.
///
/// @error BadValue, BadSchedule  the micro-batch has no passes, or not all of them; or there is no
///                               room for one more, as `stamp` says
Result<Proposal> repeatMicroBatch(const Project& project, int microBatch);

/// Passes of warm-up and cool-down moved into idle time, as `reorder` does. An edit without changes
/// where no move lets the whole end sooner; no device holds more than before.
///
/// @error BadSchedule  a pass is missing
/// @error BadValue     names the first overlapped pair, or that optimizer updates stand in the
/// order
/// @error Deadlock     as of the simulation
Result<Proposal> reorderPasses(const Project& project);

} // namespace pw
