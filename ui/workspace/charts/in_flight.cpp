// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/phases.h"
#include "core/sim/metrics.h"
#include "ui/presentation.h"
#include "ui/workspace/timeline_chart.h"

namespace pw::ui::charts {

namespace {

/// More curves of other devices than these say nothing.
constexpr int mostOthers = 16;

/// Micro-batches in flight on a device, and on the others as thin lines.
Curves inFlightCurves(const TimedOrder& order, DeviceId device)
{
    Curves curves;
    curves.subtitle = ChartWords::tr("micro-batches, %1").arg(deviceText(device));
    const int devices = order.draft.spec.devices;
    const auto of = [&](DeviceId one) { return seriesOf(inFlight(order.draft, order.times, one)); };
    if (devices <= mostOthers) {
        for (const DeviceId other : Ids<DeviceId>(devices)) {
            if (other == device)
                continue;
            StepSeries line = of(other);
            line.color = color(Role::ForwardTint);
            curves.series.push_back(std::move(line));
        }
    }
    StepSeries own = of(device);
    own.name = deviceText(device);
    own.color = color(Role::Forward);
    own.filled = true;
    curves.series.push_back(std::move(own));
    return curves;
}

} // namespace

TimelineChart in_flight();
TimelineChart in_flight()
{
    return {.id = flightChart,
            .title = QT_TRANSLATE_NOOP("TimelineChart", "In flight"),
            .menu = QT_TRANSLATE_NOOP("TimelineChart", "&In flight"),
            .place = 30,
            .usual = false,
            .curves = inFlightCurves,
            .lastIsTrial = true};
}

} // namespace pw::ui::charts
