// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "ui/models/lanes.h"

#include <array>
#include <cstdint>
#include <vector>

namespace pw::ui {

/// What a stretch of a lane is filled with, in parts of 255: by kind, the full colour before the
/// lightest tint. What is missing to 255 is idle.
struct Fill
{
    static constexpr int looks = 2 * passKindCount;
    std::array<std::uint8_t, looks> part{};

    static int indexOf(PassKind kind, bool tint)
    {
        return 2 * static_cast<int>(kind) + (tint ? 1 : 0);
    }
    /// Adds a span to sums by look. A tint in between is as much of the full colour and of the
    /// lightest as it is mixed from.
    static void add(std::array<float, looks>& sums, PassKind kind, int tint, float amount)
    {
        const float light = amount * static_cast<float>(tint) / static_cast<float>(fullTint);
        sums[static_cast<std::size_t>(indexOf(kind, false))] += amount - light;
        sums[static_cast<std::size_t>(indexOf(kind, true))] += light;
    }
};

/// A lane seen from afar: how much of each kind is in equal stretches of time, in levels that halve
/// in number. So that ten million spans are painted as quickly as ten thousand.
class LanePyramid
{
public:
    /// Lanes with fewer spans are painted span by span.
    static constexpr std::size_t worthwhile = 16'384;

    LanePyramid(const Lane& lane, Ticks begin, Ticks end);

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
