// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/time_scale.h"

#include "ui/text.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace pw::ui {

QString axisText(double time, const TimeMarks& marks)
{
    return text(markText(time, marks));
}

QString spanText(double begin, double end)
{
    const TickUnit& unit = tickUnit(std::max(std::abs(begin), std::abs(end)));
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
    return QStringLiteral("%1 – %2 %3").arg(from, to, text(unit.name));
}

QString durationText(double ticks)
{
    return text(lengthText(ticks));
}

} // namespace pw::ui
