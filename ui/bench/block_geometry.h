// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"
#include "ui/timeline/time_scale.h"

#include <QFont>
#include <QPoint>
#include <QRectF>
#include <QSize>

namespace pw::ui {

/// How a building block is laid out: how high its rows are, and which time is drawn how wide.
class BlockLayout
{
public:
    /// @param timesStay  so that the picture stays where it is while something is dragged over it
    void layOut(const BuildingBlock& block, QSize viewport, const QFont& font, bool timesStay);
    /// Makes the same time as many times as long; until the next `layOut` nothing changes.
    void zoom(double factor);

    // In pixels.
    double titleWidth() const { return m_titleWidth; }
    double rulerHeight() const;
    double rowHeight() const { return m_rowHeight; }
    /// From the top of a row to the top of the next.
    double rowPitch() const;
    double leastPitch() const;
    /// The least height of a row: two lines of a pass where there are few devices.
    double leastRow() const;
    double passHeight() const;
    /// Of everything that is drawn, without titles and ruler.
    QSize whole() const;

    /// Drawn from here.
    Ticks first() const { return m_first; }
    /// Drawn to here.
    Ticks last() const { return m_last; }
    double pixelsPerTick() const { return m_perTick; }
    const QFont& font() const { return m_font; }
    /// Of passes and lifespans.
    QFont smallFont() const;

private:
    void layOutTimes(const BuildingBlock& block, double room);

    QFont m_font;
    double m_titleWidth = 0;
    int m_devices = 1;
    double m_rowHeight = 40;
    Ticks m_first = 0;
    Ticks m_last = 1;
    double m_perTick = 16;
    double m_zoom = 1;
};

/// Where a building block is on a viewport, and what is at a point of it. A value, made anew for
/// every picture and every event; block and layout must outlive it.
class BlockGeometry
{
public:
    /// @param scrolled  pixels that all but titles and ruler are moved to the left and up by
    BlockGeometry(const BuildingBlock& block, const BlockLayout& layout, QSize viewport,
                  QPoint scrolled)
        : m_block(block)
        , m_layout(layout)
        , m_viewport(viewport)
        , m_scrolled(scrolled)
    {
    }

    const BuildingBlock& block() const { return m_block; }
    const BlockLayout& layout() const { return m_layout; }
    QSize viewport() const { return m_viewport; }

    TimeScale scale() const;
    double xOf(Ticks time) const { return scale().x(time); }
    Ticks timeAt(double x) const;
    QRectF rowOf(DeviceId device) const;
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
    QSize m_viewport;
    QPoint m_scrolled;
};

/// The nearest pass in time of the same device before (along −1) or behind (+1) one, or of the
/// device above (across −1) or below (+1).
/// @param from  null: of the first device, from `start` on
/// @return null: there is none
const BlockPass* passBeside(const BuildingBlock& block, const BlockPass* from, Ticks start,
                            int along, int across);

} // namespace pw::ui
