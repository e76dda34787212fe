// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_axis.h"
#include "ui/traces/activity_view.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

QString counterValue(const TraceCounter& counter, double value)
{
    if (counter.kind == CounterKind::Memory)
        return text(byteText(static_cast<Bytes>(value)));
    constexpr double hundred = 100;
    if (counter.kind == CounterKind::Part)
        return QStringLiteral("%1 %").arg(text(plainNumber(value * hundred, 3)));
    return text(plainNumber(value, 4));
}

double mostOf(const TraceCounter& counter)
{
    double most = 0;
    for (const CounterSample& sample : counter.samples)
        most = std::max(most, sample.value);
    return most;
}

} // namespace

std::vector<ActivityRows::Counter> ActivityView::counterRows() const
{
    std::vector<ActivityRows::Counter> rows;
    const Trace& trace = m_activity->trace;
    for (const TraceCounter& counter : trace.counters) {
        ActivityRows::Counter row;
        if (counter.rank >= 0 && static_cast<std::size_t>(counter.rank) < trace.ranks.size())
            row.rank = trace.ranks[static_cast<std::size_t>(counter.rank)].number;
        row.title = text(counter.name);
        row.note = tr("up to %1").arg(counterValue(counter, mostOf(counter)));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::int32_t ActivityView::rankOfLane(int lane) const
{
    const std::int32_t track = m_activity->source.lanes()[static_cast<std::size_t>(lane)].track;
    return track < 0 ? -1 : m_activity->trace.tracks[static_cast<std::size_t>(track)].rank;
}

void ActivityView::setColorBy(SliceColors by)
{
    m_colorBy = by;
    viewport()->update();
}

void ActivityView::togglePin(int lane)
{
    m_rows.togglePin(lane);
    relayout();
}

/// A filled step: of the values in a pixel the largest.
void ActivityView::paintCounter(QPainter& painter, const ActivityRows::Row& row,
                                const TimeScale& now) const
{
    const TraceCounter& counter = m_activity->trace.counters[static_cast<std::size_t>(row.counter)];
    const double top = row.top - verticalScrollBar()->value() + 2;
    constexpr double height = ActivityRows::counterHeight - 4;
    painter.fillRect(QRectF(TimeAxis::margin, top - 2, viewport()->width(), height + 4),
                     color(Role::Lane));
    // A part is drawn against the whole.
    const double most =
        counter.kind == CounterKind::Part ? std::max(mostOf(counter), 1.0) : mostOf(counter);
    if (most <= 0 || counter.samples.empty())
        return;
    const double left = TimeAxis::margin, right = left + TimeAxis::length(*this);
    auto sample =
        std::upper_bound(counter.samples.begin(), counter.samples.end(),
                         static_cast<Ticks>(std::floor(now.time(left))),
                         [](Ticks time, const CounterSample& one) { return time < one.time; });
    double value = sample == counter.samples.begin() ? 0 : std::prev(sample)->value;
    QPainterPath path(QPointF(left, top + height));
    const auto y = [&](double of) { return top + height * (1 - std::clamp(of / most, 0.0, 1.0)); };
    path.lineTo(left, y(value));
    double column = left, highest = value;
    for (; sample != counter.samples.end(); ++sample) {
        const double x = now.x(sample->time);
        if (x > right)
            break;
        if (x >= column + 1) {
            path.lineTo(column + 1, y(highest));
            path.lineTo(column + 1, y(value));
            path.lineTo(x, y(value));
            column = x;
            highest = value;
        }
        value = sample->value;
        highest = std::max(highest, value);
        path.lineTo(column, y(highest));
    }
    path.lineTo(std::min(column + 1, right), y(highest));
    path.lineTo(std::min(column + 1, right), y(value));
    path.lineTo(right, y(value));
    path.lineTo(right, top + height);
    QColor fill = activityColor(ActivityKind::Compute);
    fill.setAlphaF(0.45F);
    painter.fillPath(path, fill);
    painter.setPen(activityColor(ActivityKind::Compute));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
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

void ActivityView::paintArrows(QPainter& painter, const TimeScale&) const
{
    if (m_links.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const SliceLink& link : m_links) {
        const QRectF from = boxOfSpan(link.from), to = boxOfSpan(link.to);
        if (from.isNull() || to.isNull())
            continue;
        // A launch hands over when it begins; what is sent leaves at the end.
        const double begin = link.kind == SliceLinkKind::Launch ? from.left() : from.right();
        const QPointF a(begin, from.center().y()), b(to.left(), to.center().y());
        const double bend = std::clamp(std::abs(b.x() - a.x()) / 2, 24.0, 120.0);
        QPainterPath path(a);
        path.cubicTo(a + QPointF(bend, 0), b - QPointF(bend, 0), b);
        QPen pen(color(link.kind == SliceLinkKind::Backward ? Role::Backward : Role::Accent), 1.6);
        if (link.kind == SliceLinkKind::Backward)
            pen.setStyle(Qt::DashLine);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        painter.setBrush(pen.color());
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(QPolygonF({b, b + QPointF(-7, -3.5), b + QPointF(-7, 3.5)}));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace pw::ui
