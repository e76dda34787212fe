// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/schedule.h"
#include "core/sim/metrics.h"
#include "ui/charts/step_chart.h"
#include "ui/document/placed_annotations.h"
#include "ui/document/schedule_document.h"
#include "ui/export/figure.h"
#include "ui/plural.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace pw::ui {

namespace {

struct FigureContentWords
{
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

/// The device that holds most, in bytes or, where none are known, in micro-batches.
DeviceId fullestDevice(const SimResult& result)
{
    const auto most = std::max_element(result.devices.begin(), result.devices.end(),
                                       [](const DeviceResult& a, const DeviceResult& b) {
                                           return std::pair(a.peakActivation, a.peakShare) <
                                                  std::pair(b.peakActivation, b.peakShare);
                                       });
    return DeviceId(most == result.devices.end() ? 0 : most - result.devices.begin());
}

/// Micro-batches that are alive on a device over time.
std::vector<std::pair<Ticks, double>> microBatchCurve(const Schedule& schedule, const Costs& costs,
                                                      const SimResult& result, DeviceId device)
{
    std::vector<std::pair<Ticks, Share>> changes;
    // At one time room that copies to the host leave is free first, and that of copies back is
    // taken last.
    for (const HostCopy& copy : result.copies)
        if (copy.device == device)
            changes.emplace_back(copy.outEnd, -copy.share);
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        const auto at = static_cast<std::size_t>(i);
        const auto add = [&](const Pass& pass) {
            if (pass.kind == PassKind::U)
                return;
            const ActivationCost& cost =
                costs.activation[cellIndex(schedule.spec(), pass.stage, pass.segment)];
            const Share share = activationChange(cost, pass.kind, schedule.recomputed(pass)).share;
            changes.emplace_back(share > 0 ? result.start[at] : result.end[at], share);
        };
        add(entry.pass);
        if (entry.paired)
            add(entry.partner);
    }
    for (const HostCopy& copy : result.copies)
        if (copy.device == device && copy.needed >= 0)
            changes.emplace_back(copy.backStart, copy.share);
    std::stable_sort(changes.begin(), changes.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<Ticks, double>> curve = {{0, 0.0}};
    Share now = 0;
    for (const auto& [time, share] : changes) {
        now += share;
        if (curve.back().first != time)
            curve.emplace_back(time, 0);
        curve.back().second = microBatchesFromShare(now);
    }
    return curve;
}

} // namespace

QString numbersOf(const SimResult& result)
{
    const auto bubble = [](const Bubble& one) {
        return QStringLiteral("%1 (%2)").arg(durationText(static_cast<double>(one.idle)),
                                             percentText(one.rate()));
    };
    QString line =
        FigureContentWords::tr("makespan %1 · span bubble %2 · wall bubble %3 · peak %4")
            .arg(durationText(static_cast<double>(result.makespan)), bubble(spanBubble(result)),
                 bubble(wallBubble(result)),
                 plural(peakMicroBatches(result),
                        QLocale::c().toString(peakMicroBatches(result), 'g', 4), Noun::MicroBatch));
    if (const Bytes bytes = peakActivation(result); bytes > 0)
        line += QStringLiteral(", ") + bytesText(static_cast<double>(bytes));
    return line;
}

FigureContent figureOf(std::shared_ptr<const Schedule> schedule, const Costs& costs,
                       const SimResult& result, const QString& title)
{
    FigureContent content;
    content.title = title;
    content.numbers = numbersOf(result);
    const int devices = schedule->devices();
    for (const DeviceId device : Ids<DeviceId>(devices))
        content.bubbles.push_back({FigureContentWords::tr("device %1").arg(device),
                                   wallBubble(result, device).rate(),
                                   spanBubble(result, device).rate()});
    const DeviceId device = fullestDevice(result);
    content.memoryOf = FigureContentWords::tr("device %1").arg(device);
    std::vector<MemoryPoint> curve = memoryCurve(*schedule, costs, result, device);
    if (std::any_of(curve.begin(), curve.end(),
                    [](const MemoryPoint& point) { return point.total() > 0; })) {
        content.memory = std::move(curve);
        if (!costs.memoryCap.empty())
            content.memoryCap = costs.memoryCap[static_cast<std::size_t>(device)];
    } else {
        content.microBatches = microBatchCurve(*schedule, costs, result, device);
    }
    content.lanes = lanesOf(std::move(schedule), result);
    return content;
}

FigureContent figureOf(const ScheduleDocument& document)
{
    FigureContent content;
    if (document.schedule()) {
        content =
            figureOf(document.schedule(), document.costs(), document.result(), document.title());
    } else {
        content.title = document.title();
        content.lanes = document.lanes();
    }
    content.annotations = placedAnnotations(document);
    return content;
}

} // namespace pw::ui
