// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_geometry.h"

#include "ui/timeline/time_axis.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pw::ui {

QRectF LaneGeometry::laneArea(int lane) const
{
    if (m_rows != nullptr) {
        const LaneRows::Row* row = m_rows->rowOf(lane);
        if (row == nullptr)
            return {};
        return QRectF(m_scale.left, rowTop(*row), m_viewport.width() - m_scale.left,
                      row->height - gapBehind(m_laneHeight, row->depth));
    }
    const int y = top + lane * (m_laneHeight + gapBehind(m_laneHeight)) - m_scrolled;
    return QRectF(m_scale.left, y, m_viewport.width() - m_scale.left, m_laneHeight);
}

int LaneGeometry::labelPixels() const
{
    constexpr int least = 8, usual = 12, large = 28;
    constexpr std::size_t enough = 200; // of a lane; the others look alike
    constexpr double readable = 7;      // narrower blocks have no letters anyway
    const int most = std::clamp(m_laneHeight / 5, usual, TimeAxis::letters(large));
    const int size = std::clamp(m_laneHeight / 3, least, most);
    const QRectF seen = room();
    std::vector<double> widths;
    for (int number = 0; number < static_cast<int>(m_lanes.lanes().size()); ++number) {
        if (!laneArea(number).intersects(seen))
            continue;
        const Lane& lane = m_lanes.lanes()[static_cast<std::size_t>(number)];
        const auto from = static_cast<Ticks>(std::floor(m_scale.time(seen.left())));
        const std::size_t first = lane.firstEndingAfter(from);
        for (std::size_t i = first; i < std::min(lane.size(), first + enough); ++i) {
            if (m_scale.x(lane.start[i]) > seen.right())
                break;
            const double width = m_scale.x(lane.end[i]) - m_scale.x(lane.start[i]) - 1;
            if (width >= readable)
                widths.push_back(width);
        }
    }
    if (widths.empty())
        return size;
    const auto few = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 20);
    std::nth_element(widths.begin(), few, widths.end());
    // W, the widest letter, is about as wide as the font is high.
    return std::clamp(static_cast<int>(*few - 1), least, size);
}

const LaneRows::Row* LaneGeometry::rowAt(QPointF point) const
{
    if (m_rows == nullptr)
        return nullptr;
    const int row = m_rows->rowAt(static_cast<int>(std::floor(point.y())) + m_scrolled - top);
    return row < 0 ? nullptr : &m_rows->rows()[static_cast<std::size_t>(row)];
}

int LaneGeometry::laneAt(QPointF point) const
{
    if (m_rows != nullptr) {
        const LaneRows::Row* row = rowAt(point);
        return row == nullptr ? -1 : row->lane;
    }
    const int gap = gapBehind(m_laneHeight);
    const double y = point.y() + m_scrolled - top + gap / 2.0;
    const int lane = static_cast<int>(std::floor(y / (m_laneHeight + gap)));
    return lane >= 0 && lane < static_cast<int>(m_lanes.lanes().size()) ? lane : -1;
}

SpanRef LaneGeometry::spanAt(QPointF point) const
{
    const int lane = laneAt(point);
    if (lane < 0 || point.x() < m_scale.left || !laneArea(lane).contains(point))
        return {};
    const Lane& spans = m_lanes.lanes()[static_cast<std::size_t>(lane)];
    const std::int64_t index = spans.at(static_cast<Ticks>(std::floor(m_scale.time(point.x()))));
    return index < 0 ? SpanRef{} : SpanRef{lane, index};
}

QRectF LaneGeometry::rectangleOf(SpanRef span) const
{
    if (!m_lanes.holds(span))
        return {};
    const Lane& lane = m_lanes.lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    QRectF area = laneArea(span.lane);
    if (area.isEmpty())
        return {};
    area.setLeft(m_scale.x(lane.start[index]));
    area.setRight(m_scale.x(lane.end[index]));
    return area;
}

std::vector<SpanRef> LaneGeometry::spansIn(const QRectF& band) const
{
    std::vector<SpanRef> spans;
    const auto from = static_cast<Ticks>(std::floor(m_scale.time(band.left())));
    const auto to = static_cast<Ticks>(std::ceil(m_scale.time(band.right())));
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(m_lanes.lanes().size()); ++i) {
        const QRectF area = laneArea(i);
        if (area.isEmpty() || area.bottom() < band.top() || area.top() > band.bottom())
            continue;
        const Lane& lane = m_lanes.lanes()[static_cast<std::size_t>(i)];
        for (std::size_t at = lane.firstEndingAfter(from); at < lane.size(); ++at) {
            if (lane.start[at] >= to)
                break;
            spans.push_back({i, static_cast<std::int64_t>(at)});
        }
    }
    return spans;
}

} // namespace pw::ui
