// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/memory.h"

#include "ui/core_words.h"
#include "ui/models/number_table.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/workspace/timeline_chart.h"

#include <algorithm>

namespace pw::ui::charts {

namespace {

std::vector<StepSeries> stacked(const std::vector<MemoryPoint>& curve)
{
    std::vector<StepSeries> all;
    std::vector<double> below(curve.size(), 0);
    for (int kind = 0; kind < memoryKindCount; ++kind) {
        StepSeries one;
        one.name = coreWords(name(static_cast<MemoryKind>(kind)));
        one.color = color(static_cast<MemoryKind>(kind));
        one.filled = true;
        bool any = false;
        for (std::size_t i = 0; i < curve.size(); ++i) {
            const Bytes own = curve[i].bytes[static_cast<std::size_t>(kind)];
            any = any || own > 0;
            below[i] += static_cast<double>(own);
            one.times.push_back(curve[i].time);
            one.values.push_back(below[i]);
        }
        if (any)
            all.push_back(std::move(one));
    }
    return all;
}

/// The cap of a device where it can be drawn: bytes beside bytes, micro-batches beside those.
void setMemoryLimit(const TimedOrder& order, DeviceId device, Curves& curves)
{
    const std::vector<Bytes>& caps = order.costs.memoryCap;
    const Share share = order.costs.shareCap;
    if (curves.unit == StepChart::Unit::Bytes) {
        if (!caps.empty() && caps[static_cast<std::size_t>(device)] > 0)
            curves.limit = static_cast<double>(caps[static_cast<std::size_t>(device)]);
    } else if (share > 0) {
        const double most = microBatchesFromShare(share);
        curves.limit = most;
        curves.limitLabel =
            ChartWords::tr("limit %1").arg(plural(most, shortNumber(most), Noun::MicroBatch));
    }
}

/// Bytes of a device stacked by kind, or activation in micro-batches where no bytes are given, with
/// the device's cap.
Curves memoryCurves(const TimedOrder& order, DeviceId device)
{
    Curves curves;
    curves.device = device;
    // With several weight versions only the schedule knows how many live.
    const std::vector<MemoryPoint> curve =
        order.schedule != nullptr
            ? memoryCurve(*order.schedule, order.costs, order.times.times, device)
            : draftMemory(order.draft, order.costs, order.times, device);
    const bool bytes = std::any_of(curve.begin(), curve.end(),
                                   [](const MemoryPoint& point) { return point.total() > 0; });
    curves.unit = bytes ? StepChart::Unit::Bytes : StepChart::Unit::Plain;
    curves.subtitle = ChartWords::tr("%1, %2").arg(
        deviceText(device), bytes ? ChartWords::tr("by kind") : ChartWords::tr("micro-batches"));
    if (bytes) {
        curves.series = stacked(curve);
        setMemoryLimit(order, device, curves);
        return curves;
    }
    StepSeries shares;
    shares.name = ChartWords::tr("activations");
    shares.color = color(Role::Forward);
    shares.filled = true;
    for (const SharePoint& point : draftShares(order.draft, order.costs, order.times, device)) {
        shares.times.push_back(point.time);
        shares.values.push_back(microBatchesFromShare(point.share));
    }
    curves.series.push_back(std::move(shares));
    setMemoryLimit(order, device, curves);
    return curves;
}

} // namespace

TimelineChart memory();
TimelineChart memory()
{
    return {.id = memoryChart,
            .title = QT_TRANSLATE_NOOP("TimelineChart", "Memory"),
            .menu = QT_TRANSLATE_NOOP("TimelineChart", "&Memory"),
            .place = 10,
            .usual = true,
            .curves = memoryCurves,
            .lastIsTrial = true};
}

} // namespace pw::ui::charts
