// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_axis.h"
#include "ui/traces/activity_view.h"

#include <QImage>
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
        return text(byteText(static_cast<Bytes>(std::clamp(value, -1e18, 1e18))));
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

std::vector<ActivityRows::Counter> ActivityView::counterRows()
{
    m_highest.clear();
    std::vector<ActivityRows::Counter> rows;
    const Trace& trace = m_activity->trace;
    for (const TraceCounter& counter : trace.counters) {
        ActivityRows::Counter row;
        if (counter.rank.valid() && counter.rank.index() < trace.ranks.size())
            row.rankNumber = trace.ranks[counter.rank.index()].number;
        row.title = text(counter.name);
        m_highest.push_back(mostOf(counter));
        row.note = tr("up to %1").arg(counterValue(counter, m_highest.back()));
        rows.push_back(std::move(row));
    }
    return rows;
}

void ActivityView::setColorBy(SliceColors by)
{
    m_colorBy = by;
    repaintRows();
}

/// A filled step, a column a pixel: up to the largest of the values in it, with a line over all
/// that it goes through.
void ActivityView::paintCounter(QPainter& painter, const ActivityRows::Row& row,
                                PixelStretch stretch) const
{
    const auto index = static_cast<std::size_t>(row.counter);
    const TraceCounter& counter = m_activity->trace.counters[index];
    const double ratio = devicePixelRatioF();
    const QRectF area = areaOf(row);
    const auto width = static_cast<int>(stretch.to - stretch.from);
    const int height = static_cast<int>(std::lround((ActivityRows::counterHeight - 4) * ratio));
    const QColor ground = color(Role::Lane), line = activityColor(ActivityKind::Compute);
    const double left = area.left() + static_cast<double>(stretch.from) / ratio;
    painter.fillRect(QRectF(left, area.top(), width / ratio, area.height()), ground);
    // A part is drawn against the whole.
    const double most =
        counter.kind == CounterKind::Part ? std::max(m_highest[index], 1.0) : m_highest[index];
    if (most <= 0 || counter.samples.empty())
        return;
    constexpr double clear = 0.55;
    const QRgb lineInk = line.rgb(), fillInk = mixedColor(line, ground, clear).rgb();
    const auto y = [&](double value) {
        return static_cast<int>(
            std::lround((height - 1) * (1 - std::clamp(value / most, 0.0, 1.0))));
    };
    const auto& samples = counter.samples;
    auto sample =
        std::partition_point(samples.begin(), samples.end(), [&](const CounterSample& one) {
            return m_painted.pixel(one.time) < stretch.from;
        });
    double value = sample == samples.begin() ? 0 : std::prev(sample)->value;
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(ground);
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine()) / 4;
    for (int column = 0; column < width; ++column) {
        double high = value, low = value;
        for (; sample != samples.end() && m_painted.pixel(sample->time) <= stretch.from + column;
             ++sample) {
            value = sample->value;
            high = std::max(high, value);
            low = std::min(low, value);
        }
        const int top = y(high), bottom = y(low);
        for (int at = top; at < height; ++at)
            pixels[at * stride + column] = at <= bottom ? lineInk : fillInk;
    }
    painter.drawImage(QRectF(left, area.top() + 2, width / ratio, height / ratio), image);
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
