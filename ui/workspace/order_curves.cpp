// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/order_curves.h"

#include "core/edit/phases.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/models/number_table.h"
#include "ui/plural.h"
#include "ui/presentation.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

/// More curves of other devices than these say nothing.
constexpr int mostOthers = 16;

struct ScheduleCurveWords
{
    Q_DECLARE_TR_FUNCTIONS(ScheduleCurves)
};

StepSeries seriesOf(const std::vector<CountPoint>& points)
{
    StepSeries series;
    for (const CountPoint& point : points) {
        series.times.push_back(point.time);
        series.values.push_back(point.count);
    }
    return series;
}

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

QString deviceText(DeviceId device)
{
    return ScheduleCurveWords::tr("device %1").arg(device);
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
            ScheduleCurveWords::tr("cap %1").arg(plural(most, shortNumber(most), Noun::MicroBatch));
    }
}

} // namespace

Curves memoryCurves(const TimedOrder& order, DeviceId device)
{
    Curves curves;
    // With several weight versions only the schedule knows how many live.
    const std::vector<MemoryPoint> curve =
        order.schedule != nullptr
            ? memoryCurve(*order.schedule, order.costs, order.times.times, device)
            : draftMemory(order.draft, order.costs, order.times, device);
    const bool bytes = std::any_of(curve.begin(), curve.end(),
                                   [](const MemoryPoint& point) { return point.total() > 0; });
    curves.unit = bytes ? StepChart::Unit::Bytes : StepChart::Unit::Plain;
    curves.subtitle = ScheduleCurveWords::tr("%1, %2").arg(
        deviceText(device),
        bytes ? ScheduleCurveWords::tr("by kind") : ScheduleCurveWords::tr("micro-batches"));
    if (bytes) {
        curves.series = stacked(curve);
        return curves;
    }
    StepSeries shares;
    shares.name = ScheduleCurveWords::tr("activations");
    shares.color = color(Role::Forward);
    shares.filled = true;
    for (const SharePoint& point : draftShares(order.draft, order.costs, order.times, device)) {
        shares.times.push_back(point.time);
        shares.values.push_back(microBatchesFromShare(point.share));
    }
    curves.series.push_back(std::move(shares));
    return curves;
}

Curves inFlightCurves(const TimedOrder& order, DeviceId device)
{
    Curves curves;
    curves.subtitle = ScheduleCurveWords::tr("micro-batches, %1").arg(deviceText(device));
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

Curves linkCurves(const TimedOrder& order, DeviceId device)
{
    Curves curves;
    if (order.schedule == nullptr) {
        curves.subtitle = ScheduleCurveWords::tr("not known while passes are missing");
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
        line.name = ScheduleCurveWords::tr("%1 → %2").arg(use.from).arg(use.to);
        line.color = color(roles[curves.series.size() % std::size(roles)]);
        curves.series.push_back(std::move(line));
    }
    curves.subtitle =
        !sends ? ScheduleCurveWords::tr("%1 sends nothing").arg(deviceText(device))
        : curves.series.empty()
            ? ScheduleCurveWords::tr("%1: messages take no time").arg(deviceText(device))
            : ScheduleCurveWords::tr("messages on the way, %1").arg(deviceText(device));
    return curves;
}

Curves orderCurves(const TimedOrder& order, Chart chart, DeviceId device)
{
    switch (chart) {
    case Chart::Memory: {
        Curves curves = memoryCurves(order, device);
        curves.device = device;
        setMemoryLimit(order, device, curves);
        return curves;
    }
    case Chart::InFlight:
        return inFlightCurves(order, device);
    case Chart::Links:
        return linkCurves(order, device);
    case Chart::Bubble:
        break;
    }
    return {};
}

std::vector<BubbleRow> bubbleRows(const SimResult& result)
{
    std::vector<BubbleRow> rows;
    for (const DeviceId device : Ids<DeviceId>(static_cast<int>(result.devices.size())))
        rows.push_back({deviceText(device), wallBubble(result, device).rate(),
                        spanBubble(result, device).rate()});
    return rows;
}

std::vector<BubbleRow> bubbleRows(const DraftTimes& times)
{
    return times.ring.empty() ? bubbleRows(times.times) : std::vector<BubbleRow>();
}

std::vector<BubbleRow> bubblesSoFar(const std::vector<BubbleRow>& whole, const Lanes& lanes,
                                    Ticks now)
{
    if (whole.size() != lanes.lanes().size() || now >= lanes.end())
        return {};
    std::vector<BubbleRow> rows = whole;
    for (std::size_t device = 0; device < rows.size(); ++device) {
        const Lane& lane = lanes.lanes()[device];
        const bool any = lane.size() > 0;
        const Ticks first = any ? lane.start.front() : lanes.end();
        const Ticks last = any ? lane.end.back() : lanes.end();
        Ticks busy = 0, allBusy = 0;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            allBusy += lane.end[i] - lane.start[i];
            busy += std::max<Ticks>(0, std::min(lane.end[i], now) - lane.start[i]);
        }
        const auto part = [](double rate, Ticks idle, Ticks all) {
            return all > 0 ? rate * static_cast<double>(std::clamp<Ticks>(idle, 0, all)) /
                                 static_cast<double>(all)
                           : 0.0;
        };
        rows[device].wall = part(rows[device].wall, now - lanes.begin() - busy,
                                 lanes.end() - lanes.begin() - allBusy);
        rows[device].span =
            part(rows[device].span, std::min(now, last) - first - busy, last - first - allBusy);
    }
    return rows;
}

DeviceId fullestDevice(const SimResult& result)
{
    const auto most = std::max_element(result.devices.begin(), result.devices.end(),
                                       [](const DeviceResult& a, const DeviceResult& b) {
                                           return std::pair(a.peakActivation, a.peakShare) <
                                                  std::pair(b.peakActivation, b.peakShare);
                                       });
    return most == result.devices.end() ? DeviceId(0) : DeviceId(most - result.devices.begin());
}

} // namespace pw::ui
