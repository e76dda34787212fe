// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/shown_activity.h"

#include "core/analysis/stretches.h"
#include "core/trace/activity_kind.h"
#include "ui/core_words.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QObject>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace pw::ui {

ShownActivity::ShownActivity(Trace taken, std::vector<MessagePair> messages)
    : trace(std::move(taken))
    , source(trace)
    , pairs(std::move(messages))
    , passes(trace.ranks.size())
{
    findPasses();
}

ShownActivity::ShownActivity(Trace taken, ActivityLanes lanes, std::vector<MessagePair> messages)
    : trace(std::move(taken))
    , source(trace, std::move(lanes))
    , pairs(std::move(messages))
    , passes(trace.ranks.size())
{
    findPasses();
}

void ShownActivity::findPasses()
{
    for (const ActivityLane& lane : source.lanes())
        end = std::max(end, lane.end);
    for (const TraceCounter& counter : trace.counters)
        if (!counter.samples.empty())
            end = std::max(end, counter.samples.back().time);
    // Of passes that host and device both time, those of the device count.
    std::vector<bool> surer(trace.ranks.size(), false);
    for (const bool first : {true, false})
        for (const TraceSpan& span : trace.spans) {
            const SpanLabel* label = trace.labelOf(span);
            const std::size_t rank = span.rank.index();
            if (label == nullptr || label->role != SpanRole::Pass || rank >= passes.size())
                continue;
            if (first)
                surer[rank] = surer[rank] || span.trust != Trust::Host;
            else if (span.trust != Trust::Host || !surer[rank])
                passes[rank].push_back({span.start, span.end, label->kind, label->stage});
        }
    for (std::vector<PassTime>& list : passes)
        std::stable_sort(list.begin(), list.end(),
                         [](const PassTime& a, const PassTime& b) { return a.start < b.start; });
    makeStrip();
}

namespace {

/// Adds to even parts of time, `width` long, what of each a stretch covers.
void addStretch(std::vector<float>& parts, double width, Ticks start, Ticks end)
{
    const double from = std::max(0.0, static_cast<double>(start) / width);
    const double to = static_cast<double>(end) / width;
    for (auto part = static_cast<std::size_t>(from);
         part < parts.size() && static_cast<double>(part) < to; ++part)
        parts[part] += static_cast<float>(std::min(to, static_cast<double>(part) + 1) -
                                          std::max(from, static_cast<double>(part)));
}

} // namespace

/// Of a device what it did, whatever is around it; of the host what is inside of nothing else,
/// since calls contain calls.
template<class Take>
void ShownActivity::eachBusy(std::size_t lane, Take take) const
{
    const ActivityLanes& order = source.order();
    const bool device = order.lanes[lane].device;
    for (std::size_t i = order.firstSpan[lane]; i < order.firstSpan[lane + 1]; ++i) {
        const TraceSpan& span = trace.spans[static_cast<std::size_t>(order.spans[i])];
        if (device ? isDeviceWork(span.activity) : span.depth == 0)
            take(span);
    }
}

void ShownActivity::makeStrip()
{
    const std::vector<ActivityLane>& lanes = source.lanes();
    const bool devices =
        std::any_of(lanes.begin(), lanes.end(), [](const ActivityLane& one) { return one.device; });
    const double width = static_cast<double>(std::max<Ticks>(end, 1)) / stripParts;
    std::map<std::pair<std::int32_t, std::string>, std::vector<TimeStretch>> computes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        if (lanes[lane].device)
            eachBusy(lane, [&](const TraceSpan& span) {
                if (span.activity == ActivityKind::Compute)
                    computes[{lanes[lane].rankNumber, lanes[lane].owner}].push_back(
                        {span.start, span.end});
            });
    for (auto& [device, times] : computes)
        times = joined(std::move(times));
    for (std::size_t lane = 0; lane < lanes.size() && strip.size() < stripLanes; ++lane) {
        if (devices && !lanes[lane].device)
            continue;
        const std::vector<TimeStretch>& compute =
            computes[{lanes[lane].rankNumber, lanes[lane].owner}];
        Strip parts{std::vector<float>(stripParts, 0), {}};
        eachBusy(lane, [&](const TraceSpan& span) {
            addStretch(parts.busy, width, span.start, span.end);
            if (!lanes[lane].device || span.activity != ActivityKind::Communication)
                return;
            parts.exposed.resize(stripParts, 0);
            uncovered(compute, {span.start, span.end}, [&](const TimeStretch& bare) {
                addStretch(parts.exposed, width, bare.start, bare.end);
            });
        });
        for (std::vector<float>* list : {&parts.busy, &parts.exposed})
            for (float& part : *list)
                part = std::min(part, 1.0F);
        strip.push_back(std::move(parts));
    }
}

const ShownActivity::PassTime* ShownActivity::passAt(TraceRankId rank, Ticks time) const
{
    if (!rank.valid() || rank.index() >= passes.size())
        return nullptr;
    const std::vector<PassTime>& list = passes[rank.index()];
    auto behind =
        std::upper_bound(list.begin(), list.end(), time,
                         [](Ticks wanted, const PassTime& pass) { return wanted < pass.start; });
    // Both halves of an overlapped pair begin together.
    for (int back = 0; back < 2 && behind != list.begin(); ++back)
        if ((--behind)->end >= time)
            return &*behind;
    return nullptr;
}

QColor activityColor(ActivityKind kind)
{
    const bool light = ground() == Ground::Light;
    const auto one = [light](QRgb onLight, QRgb onDark) {
        return QColor::fromRgb(light ? onLight : onDark);
    };
    switch (kind) {
    case ActivityKind::Compute:
        return one(0x6F8FB5, 0x5B8FC4);
    case ActivityKind::Communication:
        return one(0x66CCEE, 0x3FA3C4);
    case ActivityKind::Memory:
        return one(0xB9C2CC, 0x7D8894);
    case ActivityKind::Operator:
        return one(0xDFE6EE, 0x3B4652);
    case ActivityKind::Launch:
        return one(0xF0D9B5, 0x6B5836);
    case ActivityKind::Wait:
        return one(0xD9822B, 0xB56A20);
    case ActivityKind::Annotation:
        return one(0xE9DFF1, 0x4C3F57);
    case ActivityKind::Script:
        return one(0xE3EBD9, 0x3F4A35);
    case ActivityKind::Other:
        break;
    }
    return one(0xD3D9E0, 0x4A525C);
}

QString activityText(ActivityKind kind)
{
    return coreWords(name(kind));
}

} // namespace pw::ui
