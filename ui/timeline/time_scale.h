// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <QString>

#include <vector>

namespace pw::ui {

/// Where times are on a line of pixels.
struct TimeScale
{
    double begin = 0;         ///< time at `left`
    double ticksPerPixel = 1; ///< above 0
    double left = 0;

    double x(double time) const { return left + (time - begin) / ticksPerPixel; }
    double x(Ticks time) const { return x(static_cast<double>(time)); }
    double time(double x) const { return begin + (x - left) * ticksPerPixel; }
};

/// Marks of an axis: round times, at least `room` pixels apart.
struct TimeMarks
{
    std::vector<double> times;
    double step = 1;
    double largest = 1; ///< of the times and the step, without its sign
};

TimeMarks timeMarks(const TimeScale& scale, double width, double room);

/// A time of an axis, in the unit and with the decimals that all its marks share: "1.25 ms", "12
/// s".
QString axisText(double time, const TimeMarks& marks);

/// From when to when, in one unit and with as many decimals as tell the two apart: "12.060 –
/// 12.062 s".
QString spanText(double begin, double end);

/// A duration for people: three or four digits and the unit that fits.
QString durationText(double ticks);

} // namespace pw::ui
