// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/pixel_scale.h"

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// The same number for lengths of a range that differ by what adding to both of its ends rounds: a
/// millionth of it moves nothing by a hundredth of a pixel.
double settledScale(double ticksPerPixel)
{
    constexpr int digits = 21; // binary
    int exponent = 0;
    const double part = std::frexp(ticksPerPixel, &exponent);
    return std::ldexp(std::round(std::ldexp(part, digits)), exponent - digits);
}

Ticks floorDivided(Ticks value, Ticks by)
{
    const Ticks whole = value / by;
    return whole - (value % by < 0 ? 1 : 0);
}

} // namespace

PixelScale::PixelScale(const TimeScale& scale, double ratio)
    : m_ticksPerPixel(settledScale(scale.ticksPerPixel / ratio))
    , m_pixelsPerTick(1 / m_ticksPerPixel)
    , m_origin(rounded(scale.begin * m_pixelsPerTick))
{
}

std::pair<Ticks, Ticks> PixelScale::window(std::int64_t from, std::int64_t to) const
{
    // What begins in a stretch of a grain may reach into the next one, and boxes into a neighbour.
    constexpr std::int64_t around = 2;
    const auto timeAt = [this](std::int64_t pixel) {
        return static_cast<double>(pixel + m_origin) * m_ticksPerPixel;
    };
    const Ticks step = std::max<Ticks>(grain(), 1);
    const auto first = static_cast<Ticks>(std::floor(timeAt(from - around)));
    const auto last = static_cast<Ticks>(std::ceil(timeAt(to + around)));
    return {(floorDivided(first, step) - around) * step,
            (floorDivided(last, step) + around) * step};
}

} // namespace pw::ui
