// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/pixel_scale.h"
#include "ui/traces/slice_inks.h"
#include "ui/traces/slice_names.h"

#include <QRectF>
#include <QRgb>

#include <cstdint>
#include <functional>
#include <vector>

class QPainter;

namespace pw::ui {

/// From which pixel of the axis to before which one.
struct PixelStretch
{
    std::int64_t from = 0;
    std::int64_t to = 0;
};

/// Paints the slices of lanes, the levels of a lane below each other: each level as a line of
/// pixels that is drawn as high as a slice, with names over it.
class SlicePainter
{
public:
    /// What stays the same for all lanes of a picture. All of it outlives the painter.
    struct Picture
    {
        const ShownActivity& activity;
        const SliceInks& inks;
        SliceNames& names;
        /// Whether a name is searched for; null: nothing is.
        std::function<bool(std::int32_t)> matches;
        PixelScale scale;
        int columns = 0;  ///< pixels of the device that the axis is long
        double ratio = 1; ///< pixels of the device in one of the view
    };

    explicit SlicePainter(Picture picture)
        : m_picture(std::move(picture))
    {
    }

    /// What is painted of a slice, in pixels of the axis, a little over its ends at most.
    static PixelStretch shownOf(const ActivitySlice& slice, const PixelScale& scale, int columns);

    /// Paints a stretch of a lane's axis, and the whole of each slice that reaches into it: names
    /// stand where slices begin in what is seen.
    /// @param area    of the lane, its axis
    /// @param levels  of slices that are shown
    void paint(QPainter& painter, int lane, const QRectF& area, int levels, PixelStretch stretch);

private:
    void paintLevel(QPainter& painter, const std::vector<ActivitySlice>& slices, QPointF corner,
                    PixelStretch stretch, TraceRankId rank);
    QRgb inkOf(const ActivitySlice& slice, TraceRankId rank) const;

    Picture m_picture;
    std::vector<std::vector<ActivitySlice>> m_levels; // what is read; kept for its memory
    std::vector<QRgb> m_line;
};

} // namespace pw::ui
