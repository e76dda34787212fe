// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/sequence_partition.h"

#include "core/base/assert.h"
#include "core/base/try.h"

#include <cmath>

namespace pw {

namespace {

/// C(n,e) = quadratic·(n·e − n²/2) + linear·n
struct Work
{
    double quadratic;
    double linear;

    double of(double length, double end) const
    {
        return quadratic * (length * end - length * length / 2) + linear * length;
    }

    /// The length that ends at `end` and has the given work: the smaller root of a quadratic
    /// equation, in the form that stays exact where the attention is a small part.
    double lengthOf(double work, double end) const
    {
        const double slope = quadratic * end + linear;
        return 2 * work / (slope + std::sqrt(slope * slope - 2 * quadratic * work));
    }
};

Work workOf(const TransformerModel& model)
{
    const double h = model.hidden;
    const double d = model.headSize();
    const double a = model.heads;
    const double layers = model.layers;
    return {layers * (4 * d + 3) * a,
            2 * layers * static_cast<double>(matrixParameters(model)) + 4 * h * model.vocabulary};
}

} // namespace

Result<std::vector<int>> equalWorkSegments(const TransformerModel& model, int segments,
                                           int multiple)
{
    PW_DO(check(model));
    if (segments < 1)
        return fail(ErrorCode::BadValue, "segments is %1; at least 1", segments);
    if (multiple < 1) {
        return fail(ErrorCode::BadValue, "segment lengths cannot be multiples of %1", multiple);
    }
    if (segments > model.sequence) {
        return fail(ErrorCode::BadValue, "segments is %1; the sequence has %2 tokens", segments,
                    model.sequence);
    }
    const Work work = workOf(model);
    const double target = work.of(model.sequence, model.sequence) / segments;
    std::vector<int> lengths(static_cast<std::size_t>(segments));
    int end = model.sequence;
    for (int q = segments - 1; q > 0; --q) {
        const int length = static_cast<int>(work.lengthOf(target, end)) / multiple * multiple;
        if (length < 1) {
            return fail(ErrorCode::BadValue, "segment %1 of %2 is shorter than the multiple %3", q,
                        segments, multiple);
        }
        lengths[static_cast<std::size_t>(q)] = length;
        end -= length;
    }
    PW_ASSERT(end > 0);
    lengths.front() = end;
    return lengths;
}

} // namespace pw
