// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/lane_rows.h"
#include "ui/traces/found_slices.h"

#include <optional>
#include <vector>

namespace pw::ui {

/// Finds the slices that keys walk to, in the lanes of a trace.
class SliceWalk
{
public:
    /// Both outlive this.
    SliceWalk(const ShownActivity& activity, const LaneRows& rows)
        : m_activity(activity)
        , m_rows(rows)
    {
    }

    /// Slices of a level of a lane that reach into a stretch.
    /// @param grain  0: each alone; else as of `ActivitySource::slices`
    std::vector<ActivitySlice> level(int lane, int depth, Ticks from, Ticks to,
                                     Ticks grain = 0) const;
    /// What is at a time on a level, else what comes next there; none: nothing does.
    std::optional<ChosenSlice> at(int lane, int depth, Ticks time) const;
    /// The first one of all lanes that are shown.
    std::optional<ChosenSlice> first() const;
    /// The next (+1) or previous one (−1) of the same level.
    std::optional<ChosenSlice> along(const ChosenSlice& from, int direction) const;
    /// At the same time one level down (+1) or up (−1), and beyond the last on the lane beside.
    std::optional<ChosenSlice> across(const ChosenSlice& from, int direction) const;
    /// At a time on the lane that is shown below (+1) or above (−1) a lane.
    std::optional<ChosenSlice> beside(int lane, Ticks time, int direction) const;
    /// None where the span stands on no lane.
    std::optional<ChosenSlice> ofSpan(std::int32_t span) const;

private:
    std::optional<ChosenSlice> before(const ChosenSlice& from) const;

    const ShownActivity& m_activity;
    const LaneRows& m_rows;
};

} // namespace pw::ui
