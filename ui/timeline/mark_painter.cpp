// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/mark_painter.h"

#include "ui/presentation.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

void paintTimeLine(QPainter& painter, double x, double height, const QColor& ink)
{
    const double pixel = std::round(x);
    painter.setPen(QPen(ink, 1));
    painter.drawLine(QPointF(pixel, 0), QPointF(pixel, height));
}

QRectF MarkPainter::flagOf(Mark mark, double time) const
{
    constexpr double side = 24;
    const double x = std::round(m_scale.x(time));
    // A stands before its line, B behind it, so that both are seen where they are close.
    return QRectF(mark == Mark::A ? x - side : x, m_room.height() - side, side, side);
}

std::optional<Mark> MarkPainter::at(QPointF point, const Marks& marks) const
{
    constexpr double reach = 3;
    if (point.x() < m_room.left())
        return std::nullopt;
    for (const Mark mark : {Mark::B, Mark::A}) {
        const std::optional<double>& time = marks.of(mark);
        if (time && (std::abs(m_scale.x(*time) - point.x()) <= reach ||
                     flagOf(mark, *time).contains(point)))
            return mark;
    }
    return std::nullopt;
}

void MarkPainter::paint(QPainter& painter, const Marks& marks, const QString& between) const
{
    if (!marks.any())
        return;
    painter.save();
    painter.setClipRect(m_room);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(m_font);
    if (marks.a && marks.b) {
        const auto [from, to] = std::minmax(*marks.a, *marks.b);
        paintBetween(painter, from, to, between.isEmpty() ? durationText(to - from) : between);
    }
    for (const Mark mark : {Mark::A, Mark::B}) {
        const std::optional<double>& time = marks.of(mark);
        if (!time)
            continue;
        paintTimeLine(painter, m_scale.x(*time), m_room.height(), color(Role::Accent));
        const QRectF flag = flagOf(mark, *time).adjusted(3, 6, -3, 0);
        painter.fillRect(flag, color(Role::Accent));
        painter.setPen(ground() == Ground::Light ? QColor(Qt::white) : color(Role::Paper));
        painter.drawText(flag, Qt::AlignCenter,
                         mark == Mark::A ? QStringLiteral("A") : QStringLiteral("B"));
    }
    painter.restore();
}

void MarkPainter::paintBetween(QPainter& painter, double from, double to,
                               const QString& words) const
{
    const double a = m_scale.x(from), b = m_scale.x(to), height = m_room.height();
    QColor veil = color(Role::Accent);
    veil.setAlphaF(0.10F);
    painter.fillRect(QRectF(a, 0, b - a, height), veil);
    if (b <= m_room.left() || a >= m_room.right())
        return;
    const QFontMetricsF metrics(m_font);
    QRectF box(0, 0, metrics.horizontalAdvance(words) + 16, metrics.height() + 6);
    box.moveCenter(QPointF((a + b) / 2, height - 24 - box.height() / 2 - 4));
    const double least = m_room.left() + 4;
    box.moveLeft(std::clamp(box.left(), least, std::max(least, m_room.right() - box.width() - 4)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Accent), 1));
    painter.setBrush(color(Role::Paper));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(color(Role::Text));
    painter.drawText(box, Qt::AlignCenter, words);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace pw::ui
