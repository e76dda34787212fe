// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/activity_rows.h"
#include "ui/traces/found_slices.h"
#include "ui/traces/pixel_scale.h"
#include "ui/traces/slice_inks.h"
#include "ui/traces/slice_names.h"
#include "ui/traces/slice_painter.h"

#include <QFont>
#include <QPixmap>
#include <QRectF>

#include <functional>
#include <vector>

namespace pw::ui {

/// The rows of a trace as a picture that is kept. Moved along the axis or scrolled the picture
/// moves too, and only what is new in it is painted.
class ActivityPicture
{
public:
    /// Where it is painted for.
    struct Frame
    {
        QSize viewport;
        QRectF room; ///< of the lanes, without titles
        double ratio = 1;
        PixelScale scale;
        int top = 0; ///< pixels that the rows are scrolled by
        QFont font;
    };

    /// @param name  of a slice as it is painted
    explicit ActivityPicture(std::function<QString(std::int32_t)> name);

    void setActivity(ShownActivityPtr activity);
    /// What the colours of slices tell.
    void setColorBy(SliceColors by);
    /// It is painted anew as a whole when it is next asked for.
    void spoil() { m_stale = true; }
    /// Both outlive the call only. @pre there is an activity
    const QPixmap& paint(const Frame& frame, const LaneRows& rows, const FoundSlices& found);

    /// Where a row is in the viewport, without titles and the gap behind it.
    static QRectF areaOf(const Frame& frame, const LaneRows::Row& row);
    /// The counters of the activity, as rows.
    std::vector<ActivityRows::Counter> counterRows() const;

private:
    int columns() const;
    QRectF areaOf(const LaneRows::Row& row) const { return areaOf(m_frame, row); }
    bool moveBase(const PixelScale& scale, int top);
    void moveAlong(std::int64_t by);
    void scrollBase(int by);
    void paintRows(QPainter& painter, int from, int to);
    void paintRow(QPainter& painter, SlicePainter& slices, const LaneRows::Row& row,
                  PixelStretch stretch) const;
    SlicePainter slicePainter(const SliceInks& inks) const;
    void paintTitle(QPainter& painter, const LaneRows::Row& row) const;
    void paintCounter(QPainter& painter, const LaneRows::Row& row, PixelStretch stretch) const;

    ShownActivityPtr m_activity;
    SliceColors m_colorBy = SliceColors::Kind;
    Frame m_frame;
    const LaneRows* m_rows = nullptr;     ///< while it is painted
    const FoundSlices* m_found = nullptr; ///< likewise
    QPixmap m_base;                       ///< the rows, without what is over them
    PixelScale m_painted;                 ///< of the picture
    int m_paintedTop = 0;                 ///< what it was scrolled to
    bool m_stale = true;                  ///< the picture shows something else
    std::vector<double> m_highest;        ///< by counter, of its values
    mutable SliceNames m_names;           ///< as they are painted
};

} // namespace pw::ui
