// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/timeline_chart.h"

#include "core/base/assert.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace charts {

/// Generated from the files of `charts/`.
std::vector<TimelineChart> makeAll();

} // namespace charts

QString TimelineChart::titleText() const
{
    return QCoreApplication::translate("TimelineChart", title);
}

QString TimelineChart::menuText() const
{
    return QCoreApplication::translate("TimelineChart", menu);
}

const std::vector<TimelineChart>& timelineCharts()
{
    static const std::vector<TimelineChart> all = [] {
        std::vector<TimelineChart> made = charts::makeAll();
        std::sort(made.begin(), made.end(),
                  [](const TimelineChart& a, const TimelineChart& b) { return a.place < b.place; });
        return made;
    }();
    return all;
}

const TimelineChart& timelineChart(std::string_view id)
{
    const std::vector<TimelineChart>& all = timelineCharts();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [id](const TimelineChart& one) { return one.id == id; });
    PW_ASSERT(found != all.end());
    return *found;
}

} // namespace pw::ui
