// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

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

/// A unit of time as people say it.
struct TickUnit
{
    double ticks = 1;
    std::string_view name;
};

/// The unit in which a duration has one to three digits before the point; ms rather than µs from
/// 0.1 ms on, since that is what people type.
const TickUnit& tickUnit(double ticks);

/// A time of an axis, in the unit and with the decimals that all its marks share: "1.25 ms",
/// "12 s".
std::string markText(double time, const TimeMarks& marks);

/// A duration for people: three or four digits and the unit that fits, "25.5 ms".
std::string lengthText(double ticks);

} // namespace pw
