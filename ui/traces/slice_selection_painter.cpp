// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/slice_selection_painter.h"

#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// An arrow that begins and ends level.
void paintFlow(QPainter& painter, QPointF from, QPointF to, const QPen& pen)
{
    const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 24.0, 120.0);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setBrush(pen.color());
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({to, to + QPointF(-7, -3.5), to + QPointF(-7, 3.5)}));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

void SliceSelectionPainter::paint(QPainter& painter, const SliceSelection& selection) const
{
    if (const std::optional<ChosenSlice>& slice = selection.slice();
        slice && m_geometry.shows(*slice)) {
        painter.setPen(QPen(color(Role::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_geometry.boxOf(*slice).adjusted(-1, 0, 1, 0));
    }
    if (selection.gap())
        paintGap(painter, *selection.gap());
    for (const SliceLink& link : selection.arrows())
        paintArrow(painter, link);
}

void SliceSelectionPainter::paintArrow(QPainter& painter, const SliceLink& link) const
{
    const QRectF from = m_geometry.boxOfSpan(link.from), to = m_geometry.boxOfSpan(link.to);
    if (from.isNull() || to.isNull())
        return;
    // A launch hands over when it begins; what is sent leaves at the end.
    const double begin = link.kind == SliceLinkKind::Launch ? from.left() : from.right();
    QPen pen(color(link.kind == SliceLinkKind::Backward ? Role::Backward : Role::Accent), 1.6);
    if (link.kind == SliceLinkKind::Backward)
        pen.setStyle(Qt::DashLine);
    paintFlow(painter, {begin, from.center().y()}, {to.left(), to.center().y()}, pen);
}

/// And an arrow from what it waits for to its end.
void SliceSelectionPainter::paintGap(QPainter& painter, const ChosenGap& gap) const
{
    const QRectF box = m_geometry.boxOf(gap);
    if (box.isNull())
        return;
    painter.setPen(QPen(color(Role::Accent), 2));
    painter.setBrush(hatchBrush());
    painter.drawRect(box.adjusted(0, 1, 0, -2));
    const std::int32_t cause = gap.gap.from();
    const QRectF from = cause < 0 ? QRectF() : m_geometry.boxOfSpan(cause);
    if (from.isNull())
        return;
    paintFlow(painter, {cause == gap.gap.launch ? from.left() : from.right(), from.center().y()},
              {box.right(), box.top() + ActivityRows::levelHeight / 2.0},
              QPen(color(Role::Accent), 1.6));
}

} // namespace pw::ui
