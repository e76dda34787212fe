// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/transformer.h"

#include <vector>

namespace pw {

/// Segment lengths in tokens with equal work instead of equal lengths; the first is the longest.
///
/// Work is that of the forward of n tokens that end at token e of one sample, with embedding and
/// output layer: C(n,e) = 4nhV + L·[ n·e·(4d+3)·a − n²(4d+3)a/2 + 8nhad + 4nhf ], d = h/a; causal
/// attention with 3 operations a score for its softmax. Fewer key heads and a gated MLP change the
/// last two terms as they change the matrices. Additive: C over the segments of a sequence sums to
/// C(s, s).
///
/// Solved from the last segment to the second in closed form, each rounded down to a multiple; the
/// first takes the rest.
///
/// @param segments  k, at least 1
/// @param multiple  what the lengths are multiples of, but for the first
/// @return          k lengths that sum to the model's sequence
/// @error BadValue  a count below 1, or a segment that rounds to nothing; names it
/// @source          arXiv:2406.03488 §3, MayDomine/Seq1F1B split_solver.py, sp_utils.py
Result<std::vector<int>> equalWorkSegments(const TransformerModel& model, int segments,
                                           int multiple = 1);

} // namespace pw
