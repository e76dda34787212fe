// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/slice_geometry.h"

#include "core/trace/activity_links.h"
#include "ui/traces/slice_walk.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pw::ui {

const LaneRows::Row* SliceGeometry::rowAt(QPointF point) const
{
    const int place = m_rows.rowAt(static_cast<int>(std::floor(point.y())) + m_frame.top);
    return place < 0 ? nullptr : &m_rows.rows()[static_cast<std::size_t>(place)];
}

int SliceGeometry::laneAt(QPointF point) const
{
    const LaneRows::Row* row = rowAt(point);
    return row == nullptr ? -1 : row->lane;
}

int SliceGeometry::depthAt(const LaneRows::Row& row, double y) const
{
    return (static_cast<int>(y) + m_frame.top - row.top) / ActivityRows::levelHeight;
}

std::optional<ChosenSlice> SliceGeometry::sliceAt(QPoint point) const
{
    const LaneRows::Row* row = point.x() < m_scale.left ? nullptr : rowAt(point);
    if (m_activity == nullptr || row == nullptr || row->lane < 0)
        return std::nullopt;
    const int depth = depthAt(*row, point.y());
    if (depth >= row->levels)
        return std::nullopt;
    const double time = m_scale.time(point.x() + 0.5), reach = m_scale.ticksPerPixel;
    const auto column = static_cast<std::int64_t>((point.x() - m_scale.left) * m_frame.ratio);
    const auto [from, to] = m_frame.scale.window(column, column + 1);
    std::optional<ChosenSlice> nearest;
    for (const ActivitySlice& slice :
         SliceWalk(*m_activity, m_rows).level(row->lane, depth, from, to, m_frame.scale.grain())) {
        if (static_cast<double>(slice.start) > time + reach ||
            static_cast<double>(slice.end) < time - reach)
            continue;
        nearest = ChosenSlice{row->lane, slice};
        if (static_cast<double>(slice.start) <= time && time < static_cast<double>(slice.end))
            break;
    }
    return nearest;
}

double SliceGeometry::snapped(double time, QPointF at) const
{
    constexpr double pixels = 6;
    const LaneRows::Row* row = rowAt(at);
    if (row == nullptr || row->lane < 0)
        return time;
    const int depth = std::clamp(depthAt(*row, at.y()), 0, std::max(0, row->levels - 1));
    double best = time, least = pixels * m_scale.ticksPerPixel;
    const auto from = static_cast<Ticks>(std::floor(time - least)),
               to = static_cast<Ticks>(std::ceil(time + least));
    for (const ActivitySlice& slice :
         SliceWalk(*m_activity, m_rows)
             .level(row->lane, depth, from, to + 1, m_frame.scale.grain()))
        for (const Ticks edge : {slice.start, slice.end})
            if (const double off = std::abs(static_cast<double>(edge) - time); off < least) {
                least = off;
                best = static_cast<double>(edge);
            }
    return best;
}

QRectF SliceGeometry::boxOf(const ChosenSlice& one) const
{
    const LaneRows::Row* row = m_rows.rowOf(one.lane);
    if (row == nullptr)
        return {};
    const auto left = static_cast<double>(m_frame.scale.pixel(one.slice.start)) / m_frame.ratio;
    const auto right = static_cast<double>(m_frame.scale.pixel(one.slice.end)) / m_frame.ratio;
    return {
        m_frame.room.left() + left,
        static_cast<double>(row->top - m_frame.top + one.slice.depth * ActivityRows::levelHeight),
        std::max(right - left, 1.0), static_cast<double>(ActivityRows::levelHeight - 1)};
}

QRectF SliceGeometry::boxOf(const ChosenGap& one) const
{
    const LaneRows::Row* row = m_rows.rowOf(one.lane);
    if (row == nullptr)
        return {};
    QRectF box = ActivityPicture::areaOf(m_frame, *row);
    box.setLeft(m_scale.x(static_cast<double>(one.gap.start)));
    box.setRight(std::max(m_scale.x(static_cast<double>(one.gap.end)), box.left() + 1));
    return box;
}

QRectF SliceGeometry::boxOfSpan(std::int32_t span) const
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

bool SliceGeometry::shows(const ChosenSlice& one) const
{
    const LaneRows::Row* row = m_rows.rowOf(one.lane);
    return row != nullptr && one.slice.depth < row->levels;
}

} // namespace pw::ui
