// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"
#include "ui/timeline/lane_rows.h"
#include "ui/timeline/time_scale.h"

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace pw::ui {

/// Where lanes and their spans are on a viewport, and what is at a point of it. A value, made anew
/// for every picture and every event; the lanes must outlive it.
class LaneGeometry
{
public:
    /// Pixels above the first lane.
    static constexpr int top = 4;
    /// Pixels behind lanes of a height: less behind low ones, none behind those of a pixel or two.
    static constexpr int gapBehind(int laneHeight, int depth = 0)
    {
        constexpr int most = 8;
        const int gap = laneHeight >= 3 * most ? most : laneHeight / 3;
        return depth == 0 ? gap : gap / 4;
    }

    /// @param viewport    as wide as margin and lanes together
    /// @param scale       times from `scale.left` on, the edge of the margin with the titles
    /// @param laneHeight  pixels
    /// @param scrolled    pixels that the lanes are moved up by
    /// @param rows        of a tree of lanes; null: one stands below the other. Outlive this
    LaneGeometry(const Lanes& lanes, const TimeScale& scale, QSizeF viewport, int laneHeight,
                 int scrolled, const LaneRows* rows = nullptr)
        : m_lanes(lanes)
        , m_scale(scale)
        , m_viewport(viewport)
        , m_laneHeight(laneHeight)
        , m_scrolled(scrolled)
        , m_rows(rows)
    {
    }

    const Lanes& lanes() const { return m_lanes; }
    const TimeScale& scale() const { return m_scale; }
    /// From the left edge of the margin to the end of the lanes.
    QSizeF viewport() const { return m_viewport; }
    int laneHeight() const { return m_laneHeight; }
    /// Of a tree of lanes; null: one stands below the other.
    const LaneRows* rows() const { return m_rows; }
    /// The part of the viewport right of the margin.
    QRectF room() const
    {
        return QRectF(m_scale.left, 0, m_viewport.width() - m_scale.left, m_viewport.height());
    }

    /// Empty where the lane is folded away.
    QRectF laneArea(int lane) const;
    /// Pixels from the top of the viewport to a row.
    int rowTop(const LaneRows::Row& row) const { return top + row.top - m_scrolled; }
    /// Empty where there is no such span.
    QRectF rectangleOf(SpanRef span) const;
    /// Size of the letters in blocks, in pixels: as high lanes allow, and as nearly all blocks in
    /// view that can hold letters have room for.
    int labelPixels() const;
    /// Row of the tree at the height of a point; null: there is none, or no tree.
    const LaneRows::Row* rowAt(QPointF point) const;
    /// Lane under a point, with half of the gaps around it; −1: none.
    int laneAt(QPointF point) const;
    /// Invalid where no span is under the point.
    SpanRef spanAt(QPointF point) const;
    /// All that reach into a part of the viewport, lane by lane.
    std::vector<SpanRef> spansIn(const QRectF& band) const;

private:
    const Lanes& m_lanes;
    TimeScale m_scale;
    QSizeF m_viewport;
    int m_laneHeight;
    int m_scrolled;
    const LaneRows* m_rows;
};

} // namespace pw::ui
