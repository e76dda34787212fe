// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_curves.h"

#include "core/sim/memory.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/workspace/order_curves.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace pw::ui {

namespace {

struct RunCurveWords
{
    Q_DECLARE_TR_FUNCTIONS(RunCurves)
};

/// What the simulator has too, in the same colours.
QColor memoryColor(MemoryUse use)
{
    switch (use) {
    case MemoryUse::Weights:
        return color(Role::Update);
    case MemoryUse::Versions:
        return color(Role::UpdateTint);
    case MemoryUse::Gradients:
        return color(Role::RecomputeTint);
    case MemoryUse::Optimizer:
        return color(Role::Recompute);
    case MemoryUse::Activations:
        return color(Role::Forward);
    case MemoryUse::HeldForWeight:
        return color(Role::Weight);
    case MemoryUse::Messages:
        return color(Role::BackwardTint);
    case MemoryUse::Workspace:
        return color(Role::Hatch);
    }
    return color(Role::Secondary);
}

/// What a device held over time, a layer a use.
std::vector<StepSeries> memorySeries(const std::vector<MemorySample>& samples)
{
    std::vector<StepSeries> series;
    std::vector<double> below(samples.size(), 0);
    for (int use = 0; use < memoryUseCount; ++use) {
        StepSeries one;
        one.name = coreWords(name(static_cast<MemoryUse>(use)));
        one.color = memoryColor(static_cast<MemoryUse>(use));
        one.filled = true;
        bool any = false;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const Bytes own = samples[i].of(static_cast<MemoryUse>(use));
            any = any || own > 0;
            below[i] += static_cast<double>(own);
            one.times.push_back(samples[i].time);
            one.values.push_back(below[i]);
        }
        if (any)
            series.push_back(std::move(one));
    }
    return series;
}

/// What a device's counter told over time.
std::vector<StepSeries> counterSeries(const TraceCounter& counter)
{
    if (counter.samples.empty())
        return {};
    StepSeries series;
    series.name = text(counter.name);
    series.color = color(Role::Forward);
    series.filled = true;
    for (const CounterSample& sample : counter.samples) {
        // Of values at one time the last one counts.
        if (!series.times.empty() && series.times.back() == sample.time) {
            series.values.back() = sample.value;
            continue;
        }
        series.times.push_back(sample.time);
        series.values.push_back(sample.value);
    }
    return {std::move(series)};
}

/// What the plan holds on a device, all uses together.
StepSeries plannedMemory(const RunTimeline& run, DeviceId device)
{
    StepSeries series;
    series.color = color(Role::Text);
    const std::vector<MemoryPoint> curve =
        memoryCurve(*run.schedule, run.costs, run.predicted, device);
    for (const MemoryPoint& point : curve) {
        series.times.push_back(point.time);
        series.values.push_back(static_cast<double>(point.total()));
    }
    return series;
}

/// Messages under way from and to a rank, a line a pair of ranks.
std::vector<StepSeries> linkSeries(const std::vector<RecordedMessage>& messages, RankId rank)
{
    std::map<std::pair<RankId, RankId>, std::vector<std::pair<Ticks, int>>> changes;
    for (const RecordedMessage& message : messages) {
        if (message.message < 0 || (message.from != rank && message.to != rank))
            continue;
        auto& link = changes[{message.from, message.to}];
        link.emplace_back(message.posted, 1);
        link.emplace_back(std::max(message.ended, message.posted), -1);
    }
    std::vector<StepSeries> all;
    static constexpr Role roles[] = {Role::Forward, Role::Backward, Role::Weight, Role::Recompute};
    for (auto& [link, steps] : changes) {
        std::sort(steps.begin(), steps.end());
        StepSeries line;
        line.name = RunCurveWords::tr("%1 → %2").arg(link.first).arg(link.second);
        line.color = color(roles[all.size() % std::size(roles)]);
        int now = 0;
        for (const auto& [time, step] : steps) {
            now += step;
            if (!line.times.empty() && line.times.back() == time) {
                line.values.back() = now;
                continue;
            }
            line.times.push_back(time);
            line.values.push_back(now);
        }
        all.push_back(std::move(line));
    }
    return all;
}

} // namespace

void showRunMemory(Curves& curves, const RunTimeline& run, const RunRecordsPtr& records,
                   DeviceId device)
{
    const auto at = static_cast<std::size_t>(device);
    curves.planned.emplace();
    if (records == nullptr) {
        curves.subtitle = RunCurveWords::tr("reading…");
        curves.series.clear();
        return;
    }
    std::vector<StepSeries> series = memorySeries(records->memory[at]);
    const bool counted = series.empty() && at < records->counters.size();
    if (counted)
        series = counterSeries(records->counters[at]);
    if (series.empty()) {
        curves.subtitle =
            RunCurveWords::tr("device %1, counted from its passes: no samples").arg(device);
        return;
    }
    curves.unit = StepChart::Unit::Bytes;
    StepSeries planned = plannedMemory(run, device);
    const bool isPlanned = std::any_of(planned.values.begin(), planned.values.end(),
                                       [](double bytes) { return bytes > 0; });
    curves.subtitle = isPlanned ? RunCurveWords::tr("device %1; dashed: plan").arg(device)
                      : counted ? RunCurveWords::tr("device %1, as the trace tells it").arg(device)
                                : RunCurveWords::tr("device %1, by use").arg(device);
    if (isPlanned)
        curves.planned->push_back(std::move(planned));
    curves.series = std::move(series);
}

void showRunLinks(Curves& curves, const RunRecordsPtr& records, DeviceId device)
{
    std::vector<StepSeries> series;
    if (records != nullptr)
        series = linkSeries(records->messages, rankOf(device));
    curves.subtitle = records == nullptr ? RunCurveWords::tr("reading…")
                      : series.empty()
                          ? RunCurveWords::tr("device %1: no message was recorded").arg(device)
                          : RunCurveWords::tr("messages on the way, device %1").arg(device);
    curves.series = std::move(series);
}

} // namespace pw::ui
