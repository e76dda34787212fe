// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/timeline_view.h"

#include <QObject>

#include <functional>
#include <vector>

namespace pw {
class Schedule;
}

namespace pw::ui {

/// Keys that walk along the arrows of a timeline whose entries are those of a schedule: to what the
/// current pass waits for or what waits for it, and to the others that the walk could have come to.
class LinkWalk : public QObject
{
    Q_OBJECT

public:
    /// The view takes it. @param schedule  that is shown now; null: none
    LinkWalk(TimelineView& view, std::function<const Schedule*()> schedule);

private:
    void walk(int direction);
    void goAside(int direction);

    TimelineView& m_view;
    std::function<const Schedule*()> m_schedule;
    std::vector<SpanRef> m_ends; ///< of the last walk
};

} // namespace pw::ui
