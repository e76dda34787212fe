// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"
#include "ui/timeline/heat_painter.h"
#include "ui/timeline/label_words.h"
#include "ui/timeline/lane_geometry.h"
#include "ui/timeline/lane_painter.h"

#include <QFont>
#include <QPixmap>
#include <QSize>

#include <vector>

namespace pw::ui {

/// The lanes of a timeline with their titles, as a picture that is kept. Moved along the axis the
/// picture moves too, and only what is new in it is painted.
class LanesPicture
{
public:
    /// Where it is painted for.
    struct Frame
    {
        QSize viewport;
        double ratio = 1; ///< pixels of the device in one of the view
        QFont font;
    };

    void setLanes(LanesPtr lanes);
    /// Paints other lanes palely in the place of the lanes; null: no more.
    void setPreview(LanesPtr lanes);
    const LanesPtr& preview() const { return m_preview; }
    void setColorBy(ColorBy colorBy);
    ColorBy colorBy() const { return m_colorBy; }
    /// Colours spans by their difference to another timeline; null: not.
    /// @param most  difference that has the full colour
    void setHeat(HeatPtr heat, Ticks most);
    /// It is painted anew as a whole when it is next asked for.
    void spoil() { m_stale = true; }
    /// @param geometry  of the lanes
    const QPixmap& paint(const Frame& frame, const LaneGeometry& geometry);
    /// Words of its letters, for whatever else is painted in them.
    LabelWords& words() { return m_words; }

private:
    void paintAll(const LaneGeometry& geometry, int letters);
    bool scroll(const LaneGeometry& geometry, int letters);
    void paintExposed(QPainter& painter, const LanePainter& lanes, const LaneGeometry& geometry,
                      int lane, double by) const;
    void paintLane(QPainter& painter, const LanePainter& lanes, const LaneGeometry& geometry,
                   int lane, const QRectF& exposed) const;
    void paintTitle(QPainter& painter, const LaneGeometry& geometry, int lane) const;
    int laneCount() const { return static_cast<int>(m_lanes->lanes().size()); }
    bool isSeen(const QRectF& area) const
    {
        return !area.isEmpty() && area.bottom() >= 0 && area.top() <= m_frame.viewport.height();
    }

    LanesPtr m_lanes;
    LanesPtr m_preview;         ///< null: none
    std::vector<double> m_busy; ///< part of the span of each lane
    ColorBy m_colorBy = ColorBy::Kind;
    HeatPtr m_heat;
    Ticks m_mostHeat = 0;
    Frame m_frame;
    QPixmap m_base;
    LabelWords m_words;  ///< of all pictures
    TimeScale m_painted; ///< of the picture
    int m_letters = 0;   ///< size of those in the picture
    double m_shift = 0;  ///< pixels that the picture was moved by since it was painted
    bool m_stale = true; ///< the picture shows something else
};

} // namespace pw::ui
