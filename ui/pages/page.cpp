// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/pages/page.h"

#include "ui/timeline/timeline_view.h"
#include "ui/workspace/timeline_workspace.h"

namespace pw::ui {

QString Page::whyNoFigure() const
{
    return tr("No timeline is in front.");
}

std::vector<TimelineView*> Page::timelines()
{
    TimelineWorkspace* shown = workspace();
    return shown != nullptr ? std::vector<TimelineView*>{&shown->timeline()}
                            : std::vector<TimelineView*>{};
}

std::vector<LaneView*> Page::laneViews()
{
    const std::vector<TimelineView*> views = timelines();
    return {views.begin(), views.end()};
}

FindBar* Page::findBar()
{
    TimelineWorkspace* shown = workspace();
    return shown != nullptr ? shown->findBar() : nullptr;
}

Playback* Page::playback()
{
    TimelineWorkspace* shown = workspace();
    return shown != nullptr ? shown->playback() : nullptr;
}

} // namespace pw::ui
