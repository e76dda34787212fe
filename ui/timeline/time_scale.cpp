// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/time_scale.h"

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
    marks.largest = step;
    for (const double time : marks.times)
        marks.largest = std::max(marks.largest, std::abs(time));
    return marks;
}

QString axisText(double time, const TimeMarks& marks)
{
    const ScaleUnit& unit = unitOf(marks.largest);
    const double decimals = -std::floor(std::log10(marks.step / unit.ticks) + 1e-9);
    return withUnit(time / unit.ticks, static_cast<int>(std::clamp(decimals, 0.0, 9.0)), unit);
}

QString spanText(double begin, double end)
{
    const ScaleUnit& unit = unitOf(std::max(std::abs(begin), std::abs(end)));
    const double length = std::abs(end - begin) / unit.ticks;
    // Two digits of what lies between, and no fewer than a time of its own would have.
    const double largest = std::max(std::abs(begin), std::abs(end)) / unit.ticks;
    double decimals = largest > 0 ? 3 - std::floor(std::log10(largest)) : 0;
    if (length > 0)
        decimals = std::max(decimals, 1 - std::floor(std::log10(length) + 1e-9));
    const auto written = [&](double time) {
        return QLocale::c().toString(time / unit.ticks, 'f',
                                     static_cast<int>(std::clamp(decimals, 0.0, 9.0)));
    };
    QString from = written(begin);
    QString to = written(end);
    while (from.contains(QLatin1Char('.')) && from.endsWith(QLatin1Char('0')) &&
           to.endsWith(QLatin1Char('0'))) {
        from.chop(1);
        to.chop(1);
    }
    if (from.endsWith(QLatin1Char('.'))) {
        from.chop(1);
        to.chop(1);
    }
    return QStringLiteral("%1 – %2 %3").arg(from, to, QString::fromUtf8(unit.name));
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
