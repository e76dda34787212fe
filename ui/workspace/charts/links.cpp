// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/metrics.h"
#include "ui/presentation.h"
#include "ui/workspace/timeline_chart.h"

#include <iterator>

namespace pw::ui::charts {

namespace {

/// Messages under way from and to a device. Without a schedule there are none to be shown.
Curves linkCurves(const TimedOrder& order, DeviceId device)
{
    Curves curves;
    if (order.schedule == nullptr) {
        curves.subtitle = ChartWords::tr("not known while passes are missing");
        return curves;
    }
    bool sends = false;
    static constexpr Role roles[] = {Role::Forward,   Role::Backward,     Role::Weight,
                                     Role::Recompute, Role::BackwardTint, Role::WeightTint};
    for (const LinkUse& use : linkUse(*order.schedule, order.costs, order.times.times)) {
        if (use.from != device && use.to != device)
            continue;
        sends = true;
        if (use.onTheWay.empty())
            continue;
        StepSeries line = seriesOf(use.onTheWay);
        line.name = ChartWords::tr("%1 → %2").arg(use.from).arg(use.to);
        line.color = color(roles[curves.series.size() % std::size(roles)]);
        curves.series.push_back(std::move(line));
    }
    curves.subtitle = !sends ? ChartWords::tr("%1 sends nothing").arg(deviceText(device))
                      : curves.series.empty()
                          ? ChartWords::tr("%1: messages take no time").arg(deviceText(device))
                          : ChartWords::tr("messages on the way, %1").arg(deviceText(device));
    return curves;
}

} // namespace

TimelineChart links();
TimelineChart links()
{
    return {.id = linkChart,
            .title = QT_TRANSLATE_NOOP("TimelineChart", "Links"),
            .menu = QT_TRANSLATE_NOOP("TimelineChart", "&Links"),
            .place = 40,
            .usual = false,
            .curves = linkCurves,
            .lastIsTrial = false};
}

} // namespace pw::ui::charts
