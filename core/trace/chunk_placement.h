// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/recover_parts.h"

#include <vector>

namespace pw {

/// Fills in the stages of passes whose labels say rank and chunk: laid round and round over the
/// ranks, or in a zig-zag, as the times allow. Where neither goes with the clocks as recorded, each
/// iteration may have clocks of its own; the placement with which there are such clocks is taken,
/// unless the other one has some too. Drops all passes where nothing tells the two apart, and says
/// so in the pipeline's `unknown`.
///
/// @complexity O(n + iterations · devices²) for n passes, the last only where clocks have to be
///             found
void stagesFromChunks(std::vector<FoundPass>& found, RecoveredPipeline& pipeline);

} // namespace pw
