// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/lane_spans.h"

#include <vector>

namespace pw::ui {

/// A lane seen from afar: how much of each kind is in equal stretches of time, in levels that halve
/// in number. So that ten million spans are painted as quickly as ten thousand.
class LanePyramid
{
public:
    /// Lanes with fewer spans are painted span by span.
    static constexpr std::size_t worthwhile = 16'384;

    LanePyramid(const LaneSpans& lane, Ticks begin, Ticks end);

    /// Fill of `columns` equal stretches from `from` on, each `width` ticks; `out` has room for
    /// them.
    /// @return false where stretches are finer than the finest level: paint the spans
    bool sample(double from, double width, int columns, Fill* out) const;

    std::size_t bytes() const;

private:
    std::vector<std::vector<Fill>> m_levels; ///< finest first
    double m_begin = 0;
    double m_width = 1; ///< of a stretch of the finest level
};

} // namespace pw::ui
