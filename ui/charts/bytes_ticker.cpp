// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/bytes_ticker.h"

#include "ui/charts/step_chart.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

ByteUnit byteUnit(double bytes)
{
    static constexpr const char* names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    double size = 1;
    while (std::abs(bytes) >= 1024 * size && unit < 5) {
        size *= 1024;
        ++unit;
    }
    return {names[unit], size};
}

} // namespace

QString bytesText(double bytes)
{
    const ByteUnit unit = byteUnit(bytes);
    bytes /= unit.size;
    return QLocale::c().toString(bytes, 'f', unit.size == 1 || bytes >= 100 ? 0 : 1) +
           QStringLiteral(" ") + QString::fromLatin1(unit.name);
}

double BytesTicker::getTickStep(const QCPRange& range)
{
    const double rough = std::max(1.0, range.size() / tickCount());
    const double step = std::pow(2.0, std::ceil(std::log2(rough)));
    m_unit = byteUnit(std::max(range.upper, step));
    m_decimals = static_cast<int>(std::ceil(std::max(0.0, std::log2(m_unit.size / step))));
    return step;
}

QString BytesTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    if (tick == 0)
        return QStringLiteral("0");
    return QLocale::c().toString(tick / m_unit.size, 'f', m_decimals) + QStringLiteral(" ") +
           QString::fromLatin1(m_unit.name);
}

} // namespace pw::ui
