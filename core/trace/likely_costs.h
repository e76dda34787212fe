// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/recover.h"

#include <vector>

namespace pw {

/// Costs that the plan of a recorded order may have been made from, the likeliest first: what
/// passes took; equal times and free messages; then times that are nearly the same made the same,
/// by kind, and over all kinds in whole parts of the least. A plan is made from round numbers, and
/// what an order makes of equal times a little noise turns around.
/// @pre the pipeline has a schedule
std::vector<Costs> likelyCosts(const RecoveredPipeline& pipeline);

} // namespace pw
