// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"
#include "ui/timeline/lane_rows.h"
#include "ui/timeline/time_scale.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace pw::ui {

/// How a building block is laid out: how high its rows are, and which times there are to see.
class BlockLayout
{
public:
    /// @param room       of the lanes, in pixels, and above them of the ruler
    /// @param timesStay  so that the picture stays where it is while something is dragged over it
    void layOut(const BuildingBlock& block, QSizeF room, const QFont& font, bool timesStay);
    /// A row a device, as high as they all are.
    std::vector<LaneRows::Row> outline(const BuildingBlock& block) const;

    // In pixels.
    double rulerHeight() const;
    double rowHeight() const { return m_rowHeight; }
    /// From the top of a row to the top of the next.
    double rowPitch() const;
    double leastPitch() const;
    /// The least height of a row: two lines of a pass where there are few devices.
    double leastRow() const;
    double passHeight() const;

    /// Drawn from here.
    Ticks first() const { return m_first; }
    /// Drawn to here.
    Ticks last() const { return m_last; }
    /// Where the view ends at first: as far as the numbers of passes can be read.
    double usualEnd() const { return m_usualEnd; }
    const QFont& font() const { return m_font; }
    /// Of passes and lifespans.
    QFont smallFont() const;

private:
    void layOutTimes(const BuildingBlock& block, double room);

    QFont m_font;
    int m_devices = 1;
    double m_rowHeight = 40;
    Ticks m_first = 0;
    Ticks m_last = 1;
    double m_usualEnd = 1;
};

/// Where a building block is on a viewport, and what is at a point of it. A value, made anew for
/// every picture and every event; block, layout and rows must outlive it.
class BlockGeometry
{
public:
    /// @param scale     times from `scale.left` on, the edge of the margin with the titles
    /// @param viewport  to the end of the lanes
    /// @param scrolled  pixels that all but the ruler is moved up by
    BlockGeometry(const BuildingBlock& block, const BlockLayout& layout, const LaneRows& rows,
                  const TimeScale& scale, QSizeF viewport, int scrolled)
        : m_block(block)
        , m_layout(layout)
        , m_rows(rows)
        , m_scale(scale)
        , m_viewport(viewport)
        , m_scrolled(scrolled)
    {
    }

    const BuildingBlock& block() const { return m_block; }
    const BlockLayout& layout() const { return m_layout; }
    const LaneRows& rows() const { return m_rows; }
    QSizeF viewport() const { return m_viewport; }
    /// Pixels of the margin with the titles.
    double titleWidth() const { return m_scale.left; }
    /// Below the ruler and right of the titles.
    QRectF room() const;

    const TimeScale& scale() const { return m_scale; }
    double pixelsPerTick() const { return 1 / m_scale.ticksPerPixel; }
    double xOf(Ticks time) const { return m_scale.x(static_cast<double>(time)); }
    Ticks timeAt(double x) const;
    QRectF rowOf(DeviceId device) const;
    /// Pixels from the top of the viewport to a row.
    double rowTop(const LaneRows::Row& row) const;
    /// None above and below the rows.
    DeviceId deviceAt(double y) const;
    /// Place of a pass, or of its repetition so many ticks later.
    QRectF boxOf(const BlockPass& placed, Ticks shift = 0) const;
    /// Empty where the block has no such pass.
    QRectF rectangleOf(const Pass& pass) const;
    /// Where the end of the interval is dragged.
    QRectF intervalHandle() const;
    /// The pass of the block that is on top; null: none.
    const BlockPass* passAt(QPointF point) const;

private:
    const BuildingBlock& m_block;
    const BlockLayout& m_layout;
    const LaneRows& m_rows;
    TimeScale m_scale;
    QSizeF m_viewport;
    int m_scrolled;
};

} // namespace pw::ui
