// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/workspace/timeline_source.h"

namespace pw::ui {

/// An iteration of a run that is under way in a timeline workspace. Its passes come many times a
/// second, so what is under the pointer is told in the status line alone.
class LiveSource : public TimelineSource
{
    Q_OBJECT

public:
    using TimelineSource::TimelineSource;

    /// @param lanes  null: nothing has come yet
    void setLanes(LanesPtr lanes);

    LanesPtr lanes() const override { return m_lanes != nullptr ? m_lanes : noLanes(); }
    HoverNews describe(SpanRef span, int lane, double time) const override;

private:
    LanesPtr m_lanes;
};

} // namespace pw::ui
