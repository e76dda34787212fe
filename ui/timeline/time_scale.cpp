// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/time_scale.h"

#include "ui/timeline/view_range.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::ui {

namespace {

struct ScaleUnit
{
    double ticks;
    const char* name;
};

constexpr std::array<ScaleUnit, 4> units = {{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};

/// The unit in which a duration has one to three digits before the point; ms rather than µs from
/// 0.1 ms on, since that is what people type.
const ScaleUnit& unitOf(double ticks)
{
    const double size = std::abs(ticks);
    if (size == 0)
        return units[2];
    if (size >= 1e10)
        return units[3];
    if (size >= 1e5)
        return units[2];
    return size >= 1e3 ? units[1] : units[0];
}

QString withUnit(double value, int decimals, const ScaleUnit& unit)
{
    return QLocale::c().toString(value, 'f', decimals) + QStringLiteral(" ") +
           QString::fromUtf8(unit.name);
}

} // namespace

TimeScale TimeScale::of(const ViewRange& range, double left, double width)
{
    return {range.begin(), range.length() / std::max(width, 1.0), left};
}

TimeMarks timeMarks(const TimeScale& scale, double width, double room)
{
    const double rough = std::max(scale.ticksPerPixel * room, 1.0);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * 0.999) {
            step = factor * power;
            break;
        }
    }
    TimeMarks marks;
    marks.step = step;
    const double end = scale.time(scale.left + width);
    for (double time = std::ceil(scale.begin / step) * step; time <= end; time += step)
        marks.times.push_back(time);
    return marks;
}

QString axisText(double time, double step)
{
    // The unit of the larger marks, so that all marks of an axis read alike.
    const ScaleUnit& unit = unitOf(std::max(std::abs(time), step));
    const double decimals = -std::floor(std::log10(step / unit.ticks) + 1e-9);
    return withUnit(time / unit.ticks, static_cast<int>(std::clamp(decimals, 0.0, 9.0)), unit);
}

QString durationText(double ticks)
{
    if (ticks == 0)
        return QStringLiteral("0 ms");
    const ScaleUnit& unit = unitOf(ticks);
    const double value = ticks / unit.ticks;
    const double digits = value == 0 ? 0 : std::floor(std::log10(std::abs(value)));
    QString number =
        QLocale::c().toString(value, 'f', static_cast<int>(std::clamp(3.0 - digits, 0.0, 3.0)));
    if (number.contains(QLatin1Char('.'))) {
        while (number.endsWith(QLatin1Char('0')))
            number.chop(1);
        if (number.endsWith(QLatin1Char('.')))
            number.chop(1);
    }
    return number + QStringLiteral(" ") + QString::fromUtf8(unit.name);
}

} // namespace pw::ui
