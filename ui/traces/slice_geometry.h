// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/time_scale.h"
#include "ui/traces/activity_picture.h"
#include "ui/traces/slice_selection.h"

#include <QPoint>
#include <QRectF>

#include <optional>

namespace pw::ui {

/// Where the rows and slices of a trace are on a viewport, and what is at a point of it. A value,
/// made anew for every picture and every event; activity and rows must outlive it.
class SliceGeometry
{
public:
    /// @param activity  null: there is none, and no rows
    SliceGeometry(const ShownActivity* activity, const LaneRows& rows, ActivityPicture::Frame frame,
                  const TimeScale& scale)
        : m_activity(activity)
        , m_rows(rows)
        , m_frame(std::move(frame))
        , m_scale(scale)
    {
    }

    /// Titles included; null: none.
    const LaneRows::Row* rowAt(QPointF point) const;
    /// Titles included; −1: none.
    int laneAt(QPointF point) const;
    /// The slice at a point, within a pixel; none: nothing, or a title.
    std::optional<ChosenSlice> sliceAt(QPoint point) const;
    /// The nearest edge of a slice of the level at a point within a few pixels, else the time.
    double snapped(double time, QPointF at) const;

    /// Empty where the lane is folded away.
    QRectF boxOf(const ChosenSlice& one) const;
    QRectF boxOf(const ChosenGap& one) const;
    /// Of the slice of a span of the trace.
    QRectF boxOfSpan(std::int32_t span) const;
    /// Whether the level of a slice is shown.
    bool shows(const ChosenSlice& one) const;

private:
    /// Of a row at a point, from the outermost; may be beyond the last.
    int depthAt(const LaneRows::Row& row, double y) const;

    const ShownActivity* m_activity;
    const LaneRows& m_rows;
    ActivityPicture::Frame m_frame;
    TimeScale m_scale;
};

} // namespace pw::ui
