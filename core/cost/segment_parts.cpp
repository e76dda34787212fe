// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/segment_parts.h"

#include "core/cost/whole.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw::plan {

SegmentParts::SegmentParts(const TransformerModel& model, const std::vector<int>& lengths)
    : tokens{0}
    , attention{0}
    , scores{0}
{
    const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    double end = 0;
    for (const int length : lengths) {
        end += length;
        const double part = end / sum;
        tokens.push_back(part);
        scores.push_back(scores.back() + length / sum * part);
        attention.push_back(model.skipsMasked ? part * part : scores.back());
    }
}

PieceTime inSegments(PieceTime time, const SegmentParts& parts)
{
    for (PassParts* pass : {&time.forward, &time.backward, &time.weight, &time.joined})
        pass->attention *= parts.attention.back();
    return time;
}

std::int64_t portion(double perToken, const std::vector<double>& tokens, double quadratic,
                     const std::vector<double>& squares, std::size_t segment)
{
    const auto before = [&](std::size_t i) {
        return std::llround(std::min(perToken * tokens[i] + quadratic * squares[i], planMost));
    };
    return before(segment + 1) - before(segment);
}

} // namespace pw::plan
