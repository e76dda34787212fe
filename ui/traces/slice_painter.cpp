// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/slice_painter.h"

#include "ui/presentation.h"
#include "ui/traces/activity_rows.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

namespace pw::ui {

namespace {

/// Pixels beyond the axis to which slices are painted that go on there.
constexpr std::int64_t overEdge = 2;

} // namespace

PixelStretch SlicePainter::shownOf(const ActivitySlice& slice, const PixelScale& scale, int columns)
{
    const std::int64_t from = scale.pixel(slice.start);
    const std::int64_t to = std::max(scale.pixel(slice.end), from + 1);
    return {std::max(from, -overEdge), std::min(to, columns + overEdge)};
}

QRgb SlicePainter::inkOf(const ActivitySlice& slice, TraceRankId rank) const
{
    const SliceInks& inks = m_picture.inks;
    if (m_picture.matches)
        return m_picture.matches(slice.name) ? inks.found() : inks.aside(inks.of(slice, rank));
    return slice.count > 1 ? inks.several(inks.of(slice, rank)) : inks.of(slice, rank);
}

void SlicePainter::paint(QPainter& painter, int lane, const QRectF& area, int levels,
                         PixelStretch stretch)
{
    const double ratio = m_picture.ratio;
    painter.fillRect(QRectF(area.left() + static_cast<double>(stretch.from) / ratio, area.top(),
                            static_cast<double>(stretch.to - stretch.from) / ratio, area.height()),
                     QColor::fromRgb(m_picture.inks.lane()));
    const ShownActivity& activity = m_picture.activity;
    const auto index = static_cast<std::size_t>(lane);
    const std::int32_t track = activity.source.lanes()[index].track;
    const TraceRankId rank = track < 0
                                 ? TraceRankId::none()
                                 : activity.trace.tracks[static_cast<std::size_t>(track)].rank;
    m_levels.resize(static_cast<std::size_t>(levels));
    const auto [from, to] = m_picture.scale.window(stretch.from, stretch.to);
    activity.source.levels(index, from, to, m_picture.scale.grain(), m_levels);
    for (int level = 0; level < levels; ++level)
        paintLevel(painter, m_levels[static_cast<std::size_t>(level)],
                   area.topLeft() + QPointF(0, level * ActivityRows::levelHeight), stretch, rank);
}

void SlicePainter::paintLevel(QPainter& painter, const std::vector<ActivitySlice>& slices,
                              QPointF corner, PixelStretch stretch, TraceRankId rank)
{
    if (slices.empty())
        return;
    const int columns = m_picture.columns;
    const PixelScale& scale = m_picture.scale;
    // Slices of a level do not lie on each other: what is around the stretch is all of one slice.
    std::int64_t first = stretch.from, behind = stretch.to;
    for (const ActivitySlice& slice : slices) {
        const PixelStretch shown = shownOf(slice, scale, columns);
        if (shown.from >= stretch.to || shown.to <= stretch.from)
            continue;
        first = std::min(first, std::max<std::int64_t>(shown.from, 0));
        behind = std::max(behind, std::min<std::int64_t>(shown.to, columns));
    }
    constexpr std::int64_t leastForEdge = 3; // narrower ones need no line between them
    m_line.assign(static_cast<std::size_t>(behind - first), m_picture.inks.lane());
    for (const ActivitySlice& slice : slices) {
        const PixelStretch shown = shownOf(slice, scale, columns);
        const std::int64_t edge = shown.to - shown.from > leastForEdge ? 1 : 0;
        const std::int64_t from = std::max(shown.from, first);
        const std::int64_t to = std::min(shown.to - edge, behind);
        if (from < to)
            std::fill(m_line.begin() + (from - first), m_line.begin() + (to - first),
                      inkOf(slice, rank));
    }
    const double ratio = m_picture.ratio;
    const auto xOf = [&](std::int64_t pixel) {
        return corner.x() + static_cast<double>(pixel) / ratio;
    };
    constexpr double height = ActivityRows::levelHeight - 1;
    const QImage line(reinterpret_cast<const uchar*>(m_line.data()),
                      static_cast<int>(m_line.size()), 1, QImage::Format_RGB32);
    painter.drawImage(
        QRectF(xOf(first), corner.y(), static_cast<double>(behind - first) / ratio, height), line);
    constexpr double leastForText = 28, before = 4, after = 3;
    for (const ActivitySlice& slice : slices) {
        const PixelStretch shown = shownOf(slice, scale, columns);
        const double width = static_cast<double>(shown.to - shown.from) / ratio;
        if (slice.count > 1 || width < leastForText ||
            std::max<std::int64_t>(shown.from, 0) < first ||
            std::min<std::int64_t>(shown.to, columns) > behind)
            continue;
        const QColor ground = QColor::fromRgb(inkOf(slice, rank));
        const bool white = wantsWhiteText({static_cast<std::uint8_t>(ground.red()),
                                           static_cast<std::uint8_t>(ground.green()),
                                           static_cast<std::uint8_t>(ground.blue())});
        painter.setPen(white ? QColor(Qt::white) : QColor(0x1F2933));
        const double left = std::round(xOf(shown.from)) + before;
        m_picture.names.paint(
            painter, QRectF(left, corner.y(), xOf(shown.to) - after - left, height), slice.name);
    }
}

} // namespace pw::ui
