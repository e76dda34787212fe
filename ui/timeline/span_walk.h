// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/stretches.h"
#include "ui/models/lanes.h"
#include "ui/timeline/lane_rows.h"

#include <optional>

namespace pw::ui {

/// Finds the spans that keys walk to, and edges that times snap to, in the lanes of a timeline.
class SpanWalk
{
public:
    /// @param tree  as of `LaneGeometry::rows`. Both outlive this
    SpanWalk(const Lanes& lanes, const LaneRows* tree)
        : m_lanes(lanes)
        , m_tree(tree)
    {
    }

    /// None where there is no such span.
    std::optional<TimeStretch> timesOf(SpanRef span) const;
    /// The first one of all lanes; invalid: there is none.
    SpanRef first() const;
    /// The next (+1) or previous one (−1) of the lane; invalid: there is none.
    SpanRef along(SpanRef from, int direction) const;
    /// At the same time on the lane that is shown below (+1) or above (−1); invalid: there is none.
    SpanRef across(SpanRef from, int direction) const;
    /// The nearest edge of a span of a lane within a reach, else the time itself.
    /// @param reach  ticks
    double snapped(double time, int lane, double reach) const;

private:
    const Lane& lane(int number) const { return m_lanes.lanes()[static_cast<std::size_t>(number)]; }
    int laneBeside(int lane, int direction) const;

    const Lanes& m_lanes;
    const LaneRows* m_tree;
};

} // namespace pw::ui
