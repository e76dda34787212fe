// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/layer_time.h"
#include "core/cost/transformer.h"
#include "core/model/pipeline_spec.h"

#include <cstdint>
#include <vector>

namespace pw::plan {

/// Parts of a micro-batch that are done before each segment of its sequence, and after the last.
///
/// A segment of n tokens that ends at e has n/s of what grows with the tokens, and n·e/s² of what
/// grows with queries times keys. Of the work of attention that skips the masked half it is
/// (2ne − n²)/s², which sums to the whole; without, a micro-batch in segments works less than one
/// in one piece.
struct SegmentParts
{
    SegmentParts(const TransformerModel& model, const std::vector<int>& lengths);

    std::vector<double> tokens;    ///< 0 … 1
    std::vector<double> attention; ///< of the attention's work
    std::vector<double> scores;    ///< of the scores that are stored

    std::size_t count() const { return tokens.size() - 1; }
};

/// A micro-batch's passes as all its segments take them.
PieceTime inSegments(PieceTime time, const SegmentParts& parts);

/// Of two amounts, what one segment has: differences of rounded sums, so that all segments have the
/// rounded whole.
std::int64_t portion(double perToken, const std::vector<double>& tokens, double quadratic,
                     const std::vector<double>& squares, std::size_t segment);

} // namespace pw::plan
