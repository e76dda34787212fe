// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/recover.h"

#include <string>
#include <vector>

namespace pw {

/// The passes that the iteration shown lacks, as far as its other passes tell: each kind that a
/// stage has, for every micro-batch and segment that is seen; a B and W stand for a BW. Empty where
/// more than half would be missing: then the shape is not known.
///
/// @complexity O(n log n) for n passes
std::vector<Pass> missingPasses(const RecoveredPipeline& pipeline);

/// The same in a sentence: "F of micro-batch 3 on stage 1 and 2 more are missing"; empty where
/// nothing is.
std::string missingText(const RecoveredPipeline& pipeline);

} // namespace pw
