// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/time_scale.h"

#include <QRectF>

class QWidget;

namespace pw::ui {

class ViewRange;

/// Where times are on the views of one range: the one place that says it. Ruler, overview, lanes,
/// charts and the lanes of a run stand below each other, all equally wide, and each leaves the same
/// margins, whether or not it has a scroll bar just now; so a time has the same x in all of them.
struct TimeAxis
{
    /// How much larger than usual letters, and what has its size by them, are painted in the views
    /// of times: more than 1 on the stage of a high screen.
    static double letterScale();
    static void setLetterScale(double scale);
    /// Pixels that letters, or their room, of a usual size have at that scale.
    static int letters(int usual);

    /// Pixels on the left, for titles and the numbers of charts.
    static int margin() { return letters(usualMargin); }
    /// The same in the views of a range whose titles may be wider.
    static int margin(const ViewRange& range);
    static constexpr int usualMargin = 128;

    /// Pixels on the right: the room of a vertical scroll bar, kept free by the views without one.
    static int gutter(const QWidget& view);
    /// Pixels from the left edge of a view to the end of its axis.
    static double right(const QWidget& view);
    /// Pixels that the axis of a view is long; at least 1.
    static double length(const QWidget& view);
    static double length(const ViewRange& range, const QWidget& view);
    /// What the axis spans of a view, over its whole height.
    static QRectF room(const QWidget& view);
    static QRectF room(const ViewRange& range, const QWidget& view);

    /// The visible part of a range over the axis of a view.
    static TimeScale of(const ViewRange& range, const QWidget& view);
    /// All that the range can show over the same pixels: what `of` gives once everything is in
    /// view.
    static TimeScale ofAll(const ViewRange& range, const QWidget& view);
};

} // namespace pw::ui
