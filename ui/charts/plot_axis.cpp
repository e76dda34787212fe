// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/plot_axis.h"

#include "ui/presentation.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// The next round number: 1, 2 or 5 times a power of ten, or a power of two.
double roundStep(double rough, bool whole, bool sizes)
{
    if (sizes)
        return std::exp2(std::ceil(std::log2(std::max(rough, 1.0))));
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - 1e-9)) {
            step = factor * power;
            break;
        }
    return whole ? std::max(1.0, std::round(step)) : step;
}

QFont smallFontOf(const QPainter& painter)
{
    QFont small = painter.font();
    small.setPixelSize(11);
    return small;
}

} // namespace

void PlotAxis::span(double lowest, double highest, bool zero, int count)
{
    if (zero)
        lowest = 0;
    double room = highest - lowest;
    if (!(room > 0))
        room = std::max(std::abs(highest), 1e-9) * 0.2;
    constexpr double margin = 0.06;
    least = zero ? 0 : lowest - margin * room;
    most = highest + margin * room;
    if (!zero && lowest >= 0)
        least = std::max(least, 0.0);
    const double step = roundStep((most - least) / std::max(count, 2), whole, sizes);
    marks.clear();
    for (double mark = std::ceil(least / step - 1e-9) * step; mark <= most * (1 + 1e-12);
         mark += step)
        marks.push_back(mark);
}

QPointF PlotArea::point(double x, double y) const
{
    return {box.left() + box.width() * across->part(x), box.bottom() - box.height() * up->part(y)};
}

PlotArea paintAxes(QPainter& painter, const QRectF& room, const PlotAxis& across,
                   const PlotAxis& up)
{
    painter.fillRect(room, color(Role::Paper));
    const QFont before = painter.font();
    painter.setFont(smallFontOf(painter));
    const QFontMetricsF metrics(painter.font());
    double wide = 0;
    for (const double mark : up.marks)
        wide = std::max(wide, metrics.horizontalAdvance(up.write(mark)));
    const double line = metrics.height();
    PlotArea area;
    area.across = &across;
    area.up = &up;
    area.box = room.adjusted(wide + 14, line + 8, -16, -2 * line - 12);
    painter.fillRect(area.box, color(Role::Lane));
    for (const double mark : up.marks) {
        const double y = std::round(area.point(across.least, mark).y()) + 0.5;
        painter.setPen(color(Role::Line));
        painter.drawLine(QPointF(area.box.left(), y), QPointF(area.box.right(), y));
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(room.left(), y - line, area.box.left() - room.left() - 6, 2 * line),
                         Qt::AlignRight | Qt::AlignVCenter, up.write(mark));
    }
    double free = area.box.left() - 60; // marks do not write over each other
    for (const double mark : across.marks) {
        const double x = std::round(area.point(mark, up.least).x()) + 0.5;
        painter.setPen(color(Role::Line));
        painter.drawLine(QPointF(x, area.box.top()), QPointF(x, area.box.bottom()));
        const QString words = across.write(mark);
        const double half = metrics.horizontalAdvance(words) / 2;
        if (x - half < free)
            continue;
        free = x + half + 8;
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(x - half - 2, area.box.bottom() + 3, 2 * half + 4, line),
                         Qt::AlignCenter, words);
    }
    QFont bold = painter.font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    painter.drawText(QRectF(area.box.left(), room.top() + 2, area.box.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter, up.title);
    painter.setFont(smallFontOf(painter));
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(area.box.left(), area.box.bottom() + line + 5, area.box.width(), line),
                     Qt::AlignRight | Qt::AlignVCenter, across.title);
    painter.setFont(before);
    return area;
}

} // namespace pw::ui
