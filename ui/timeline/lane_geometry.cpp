// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_geometry.h"

#include <cmath>

namespace pw::ui {

QRectF LaneGeometry::laneArea(int lane) const
{
    const int y = top + lane * (m_laneHeight + gap) - m_scrolled;
    return QRectF(m_scale.left, y, m_viewport.width() - m_scale.left, m_laneHeight);
}

int LaneGeometry::laneAt(QPointF point) const
{
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
    area.setLeft(m_scale.x(lane.start[index]));
    area.setRight(m_scale.x(lane.end[index]));
    return area;
}

} // namespace pw::ui
