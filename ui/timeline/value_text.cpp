// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/value_text.h"

#include "ui/timeline/time_scale.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace pw::ui {

namespace {

struct ValueWords
{
    Q_DECLARE_TR_FUNCTIONS(ValueText)
};

QString dash()
{
    return QStringLiteral("–");
}

} // namespace

QString columnTimeText(Ticks time)
{
    if (time == 0)
        return dash();
    const QString plain = durationText(static_cast<double>(time));
    const qsizetype space = plain.indexOf(QLatin1Char(' '));
    QString number = plain.left(space);
    // The zeros that a text alone leaves out keep a column's digits in line.
    qsizetype digits =
        number.size() - number.count(QLatin1Char('.')) - number.count(QLatin1Char('-'));
    if (digits < 4 && !number.contains(QLatin1Char('.')))
        number += QLatin1Char('.');
    for (; digits < 4; ++digits)
        number += QLatin1Char('0');
    return number + plain.mid(space);
}

QString shiftText(Ticks time)
{
    const QString size = durationText(static_cast<double>(std::abs(time)));
    return time == 0 ? QStringLiteral("0 ms")
                     : (time > 0 ? QStringLiteral("+") : QStringLiteral("−")) + size;
}

QString percentText(double rate)
{
    return QLocale::c().toString(100 * rate, 'f', 1) + QStringLiteral(" %");
}

QString gainText(double gain)
{
    const QString size = percentText(std::abs(gain));
    return size == percentText(0) ? ValueWords::tr("none")
           : gain > 0             ? QStringLiteral("−") + size
                                  : QStringLiteral("+") + size;
}

QString timesText(Ticks measured, Ticks predicted)
{
    constexpr int digits = 2;
    const double times = static_cast<double>(measured) / static_cast<double>(predicted);
    return QCoreApplication::translate("ValueText", "%1 times")
        .arg(times >= 100 ? QLocale::c().toString(times, 'f', 0)
                          : QLocale::c().toString(times, 'g', digits));
}

QString offText(Ticks measured, Ticks predicted)
{
    if (measured == 0 || predicted == 0)
        return dash();
    // Thousands of percent say less than how many times it is.
    constexpr Ticks many = 10;
    if (measured / many >= predicted)
        return QStringLiteral("× ") +
               QLocale::c().toString(static_cast<double>(measured) / static_cast<double>(predicted),
                                     'f', 0);
    const double off = static_cast<double>(measured) / static_cast<double>(predicted) - 1;
    const QString size = QLocale::c().toString(std::abs(100 * off), 'f', 1);
    const bool none = size == QStringLiteral("0.0");
    return (none      ? QString()
            : off > 0 ? QStringLiteral("+")
                      : QStringLiteral("−")) +
           size + QStringLiteral(" %");
}

QString whenText(const QDateTime& moment, const QDateTime& now)
{
    const qint64 seconds = moment.secsTo(now);
    const QString clock = QLocale::c().toString(moment, QStringLiteral("HH:mm"));
    if (seconds >= 0 && seconds < 60)
        return ValueWords::tr("just now");
    if (seconds >= 0 && seconds < 3600)
        return ValueWords::tr("%1 min ago").arg(seconds / 60);
    if (moment.date() == now.date())
        return ValueWords::tr("today %1").arg(clock);
    if (moment.date().daysTo(now.date()) == 1)
        return ValueWords::tr("yesterday %1").arg(clock);
    const QString day = moment.date().year() == now.date().year() ? QStringLiteral("d MMM")
                                                                  : QStringLiteral("d MMM yyyy");
    return QLocale().toString(moment, day) + QLatin1Char(' ') + clock;
}

} // namespace pw::ui
