// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/search/zero_bubble_order.h"
#include "core/search/zero_bubble_search.h"

namespace pw {

/// The published scheduler: the best of its eight variants. Finds nothing under some limits below p
/// micro-batches.
///
/// @complexity  O(p·m)
/// @source      arXiv:2401.10241 §3.1
ZeroBubbleCandidate zeroBubbleHeuristic(const ZeroBubbleProblem& problem);

/// Looks for a shorter order among those that the same scheduler makes when each stage runs some
/// more or fewer forwards before its first B. Changes `best` for the better only.
///
/// @param enough  a span that need not be improved
/// @source        own
void improveWarmUp(const ZeroBubbleProblem& problem, Ticks enough, ZeroBubbleCandidate& best,
                   ZeroBubbleBudget& budget);

} // namespace pw
