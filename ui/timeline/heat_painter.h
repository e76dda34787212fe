// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"
#include "ui/timeline/time_scale.h"

#include <QColor>
#include <QRectF>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

class QPainter;

namespace pw::ui {

/// A difference for every span of lanes: how much later or longer it is than the same pass
/// somewhere else.
struct Heat
{
    /// Of a span whose pass is not there.
    static constexpr Ticks none = std::numeric_limits<Ticks>::min();

    std::vector<std::vector<Ticks>> values; ///< by lane, then by span
    Ticks most = 0;                         ///< the greatest size of any
};

using HeatPtr = std::shared_ptr<const Heat>;

/// The colour of a difference: from sooner (−1) over none (0) to later (1), in hues that
/// colour-blind readers tell apart.
QColor heatColor(double part);
/// Letters that can be read on such a colour.
QColor inkOn(const QColor& ground);

/// Paints spans of a lane over what a `LanePainter` has painted, in the colour of their difference
/// and with it as a number where there is room.
class HeatPainter
{
public:
    /// @param most  difference that has the full colour
    HeatPainter(const Lanes& lanes, const Heat& heat, Ticks most, const TimeScale& scale)
        : m_lanes(lanes)
        , m_heat(heat)
        , m_most(static_cast<double>(std::max<Ticks>(1, most)))
        , m_scale(scale)
    {
    }

    /// @param area  of the lane; spans are clipped to it
    void paint(QPainter& painter, std::size_t index, const QRectF& area) const;

private:
    void paintBlock(QPainter& painter, const QRectF& box, std::size_t lane, std::size_t span) const;
    void paintColumns(QPainter& painter, std::size_t index, const QRectF& area) const;

    const Lanes& m_lanes;
    const Heat& m_heat;
    double m_most;
    TimeScale m_scale;
};

} // namespace pw::ui
