// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/shown_activity.h"
#include "ui/workspace/timeline_source.h"

#include <QPointer>

namespace pw::ui {

class ActivityView;

/// A trace in a timeline workspace. Its slices are too many to be held as spans: its own view asks
/// the trace for those that are seen, and paints them nested.
class TraceSource : public TimelineSource
{
    Q_OBJECT

public:
    using TimelineSource::TimelineSource;

    void setActivity(ShownActivityPtr activity);

    LanesPtr lanes() const override { return noLanes(); }
    /// An `ActivityView`.
    LaneView* makeView(ViewRange& range, QWidget* parent) override;
    void paintOverview(QPainter& painter, QSize pixels, const TimeScale& scale) const override;

private:
    ShownActivityPtr m_activity;
    QPointer<ActivityView> m_view;
};

} // namespace pw::ui
