// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"
#include "ui/traces/activity_view.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

// What is painted over the rows of a trace; they are a picture that is kept.

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

ActivityPicture::Frame ActivityView::frame() const
{
    return {viewport()->size(),           room(), devicePixelRatioF(), pixelScale(),
            verticalScrollBar()->value(), font()};
}

void ActivityView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    if (m_activity == nullptr) {
        painter.fillRect(viewport()->rect(), color(Role::Paper));
        return;
    }
    painter.drawPixmap(0, 0, m_picture.paint(frame(), m_rows, m_found));
    painter.setClipRect(room());
    paintChosen(painter);
    paintGap(painter);
    paintArrows(painter);
    MarkPainter(scale(), room(), font()).paint(painter, marks());
}

void ActivityView::paintChosen(QPainter& painter) const
{
    if (!m_chosen)
        return;
    const ActivityRows::Row* row = m_rows.rowOf(m_chosen->lane);
    if (row == nullptr || m_chosen->slice.depth >= row->levels)
        return;
    painter.setPen(QPen(color(Role::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(boxOf(*m_chosen).adjusted(-1, 0, 1, 0));
}

QRectF ActivityView::boxOfSpan(std::int32_t span) const
{
    const Trace& trace = m_activity->trace;
    const std::int32_t lane = laneOfSpan(trace, m_activity->source.order(), span);
    if (lane < 0)
        return {};
    const TraceSpan& of = trace.spans[static_cast<std::size_t>(span)];
    ChosenSlice slice;
    slice.lane = lane;
    slice.slice.start = of.start;
    slice.slice.end = of.end;
    slice.slice.depth = of.depth;
    return boxOf(slice);
}

void ActivityView::paintArrows(QPainter& painter) const
{
    for (const SliceLink& link : m_links) {
        const QRectF from = boxOfSpan(link.from), to = boxOfSpan(link.to);
        if (from.isNull() || to.isNull())
            continue;
        // A launch hands over when it begins; what is sent leaves at the end.
        const double begin = link.kind == SliceLinkKind::Launch ? from.left() : from.right();
        QPen pen(color(link.kind == SliceLinkKind::Backward ? Role::Backward : Role::Accent), 1.6);
        if (link.kind == SliceLinkKind::Backward)
            pen.setStyle(Qt::DashLine);
        paintFlow(painter, {begin, from.center().y()}, {to.left(), to.center().y()}, pen);
    }
}

/// The gap that is selected, and an arrow from what it waits for to its end.
void ActivityView::paintGap(QPainter& painter) const
{
    const LaneRows::Row* row = m_gap ? m_rows.rowOf(m_gap->lane) : nullptr;
    if (row == nullptr)
        return;
    const IdleGap& gap = m_gap->gap;
    QRectF box = ActivityPicture::areaOf(frame(), *row);
    box.setLeft(scale().x(static_cast<double>(gap.start)));
    box.setRight(std::max(scale().x(static_cast<double>(gap.end)), box.left() + 1));
    painter.setPen(QPen(color(Role::Accent), 2));
    painter.setBrush(hatchBrush());
    painter.drawRect(box.adjusted(0, 1, 0, -2));
    const QRectF from = gap.from() < 0 ? QRectF() : boxOfSpan(gap.from());
    if (from.isNull())
        return;
    const bool launch = gap.from() == gap.launch;
    paintFlow(painter, {launch ? from.left() : from.right(), from.center().y()},
              {box.right(), box.top() + ActivityRows::levelHeight / 2.0},
              QPen(color(Role::Accent), 1.6));
}

} // namespace pw::ui
