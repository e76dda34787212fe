// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/overlay_painter.h"

#include "ui/presentation.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pw::ui {

void OverlayPainter::paint(QPainter& painter, const Overlay& overlay) const
{
    painter.save();
    painter.setClipRect(m_geometry.room());
    paintCritical(painter, overlay);
    paintGhosts(painter, overlay);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Arrow& arrow : overlay.arrows)
        paintArrow(painter, arrow);
    paintSelected(painter, overlay);
    paintMarks(painter, overlay);
    painter.restore();
}

void OverlayPainter::paintCritical(QPainter& painter, const Overlay& overlay) const
{
    painter.setPen(QPen(color(Role::Refusal), 2));
    painter.setBrush(Qt::NoBrush);
    for (const SpanRef span : overlay.critical) {
        if (!m_geometry.lanes().holds(span))
            continue;
        const QRectF box = m_geometry.rectangleOf(span);
        painter.drawLine(QPointF(box.left(), box.bottom() + 2),
                         QPointF(box.right() - 1, box.bottom() + 2));
    }
}

void OverlayPainter::paintGhosts(QPainter& painter, const Overlay& overlay) const
{
    const LanePainter lanes(m_geometry.lanes(), m_geometry.scale(), m_colorBy);
    const TimeScale& to = m_geometry.scale();
    QFont small = m_font;
    small.setPixelSize(std::clamp(m_geometry.laneHeight() / 3, 8, 12));
    painter.setFont(small);
    painter.setOpacity(0.75);
    for (const Ghost& ghost : overlay.ghosts) {
        QRectF box = m_geometry.laneArea(ghost.lane);
        box.setLeft(to.x(ghost.start));
        box.setRight(to.x(ghost.end));
        lanes.paintSpan(painter, box, ghost.look, ghost.pass, ghost.partner);
    }
    painter.setOpacity(1);
}

void OverlayPainter::paintArrow(QPainter& painter, const Arrow& arrow) const
{
    if (!m_geometry.lanes().holds(arrow.from) || !m_geometry.lanes().holds(arrow.to))
        return;
    const QRectF from = m_geometry.rectangleOf(arrow.from);
    const QRectF to = m_geometry.rectangleOf(arrow.to);
    const QPointF start(from.right() - 1, from.center().y());
    const QPointF end(to.left() + 1, to.center().y());
    const double bend = std::clamp((end.x() - start.x()) / 2, 12.0, 60.0);
    QPainterPath path(start);
    path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend, 0), end);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(Role::Paper), 4));
    painter.drawPath(path);
    painter.setPen(QPen(color(Role::Accent), 1.6));
    painter.drawPath(path);
    painter.setBrush(color(Role::Accent));
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({end, end + QPointF(-7, -3.5), end + QPointF(-7, 3.5)}));
    painter.setBrush(Qt::NoBrush);
}

void OverlayPainter::paintSelected(QPainter& painter, const Overlay& overlay) const
{
    for (const SpanRef span : overlay.selected) {
        if (!m_geometry.lanes().holds(span))
            continue;
        const QRectF box = m_geometry.rectangleOf(span).adjusted(-1, -1, 0, 1);
        painter.setPen(QPen(color(Role::Paper), 4));
        painter.drawRoundedRect(box, 3.5, 3.5);
        painter.setPen(QPen(color(Role::Text), 2));
        painter.drawRoundedRect(box, 3.5, 3.5);
    }
}

void OverlayPainter::paintMarks(QPainter& painter, const Overlay& overlay) const
{
    const TimeScale& to = m_geometry.scale();
    const double height = m_geometry.viewport().height();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto line = [&](double time, Role role, const QString& label) {
        const double x = std::round(to.x(time));
        painter.setPen(QPen(color(role), 1));
        painter.drawLine(QPointF(x, 0), QPointF(x, height));
        if (!label.isEmpty())
            painter.drawText(QPointF(x + 4, height - 6), label);
    };
    if (overlay.markA && overlay.markB) {
        const double a = to.x(std::min(*overlay.markA, *overlay.markB));
        const double b = to.x(std::max(*overlay.markA, *overlay.markB));
        QColor veil = color(Role::Accent);
        veil.setAlphaF(0.10F);
        painter.fillRect(QRectF(a, 0, b - a, height), veil);
        painter.setPen(color(Role::Accent));
        painter.drawText(QRectF(a - 200, height - 36, b - a + 400, 16), Qt::AlignCenter,
                         durationText(std::abs(*overlay.markB - *overlay.markA)));
    }
    if (overlay.markA)
        line(*overlay.markA, Role::Accent, QStringLiteral("A"));
    if (overlay.markB)
        line(*overlay.markB, Role::Accent, QStringLiteral("B"));
    if (overlay.cursor)
        line(*overlay.cursor, Role::Refusal, {});
}

void OverlayPainter::paintHint(QPainter& painter, const QString& hint, bool refusal,
                               QPointF beside) const
{
    if (hint.isEmpty())
        return;
    const QSizeF viewport = m_geometry.viewport();
    const QFontMetricsF metrics(m_font);
    const double width = std::min<double>(420, viewport.width() - 16);
    QRectF text = metrics.boundingRect(QRectF(0, 0, width - 16, 400), Qt::TextWordWrap, hint);
    QRectF box = text.adjusted(-8, -6, 8, 6);
    box.moveTopLeft(beside + QPointF(16, 20));
    box.moveRight(std::min<double>(box.right(), viewport.width() - 8));
    box.moveBottom(std::min<double>(box.bottom(), viewport.height() - 8));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(refusal ? Role::Refusal : Role::Line), 1));
    painter.setBrush(color(Role::Paper));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(color(refusal ? Role::Refusal : Role::Text));
    painter.setFont(m_font);
    painter.drawText(box.adjusted(8, 6, -8, -6), Qt::TextWordWrap, hint);
}

} // namespace pw::ui
