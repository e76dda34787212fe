// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/schedule_links.h"

#include "core/sim/dependencies.h"

#include <algorithm>

namespace pw::ui {

SpanRef spanOf(const Lanes& lanes, const Schedule& schedule, EntryId entry)
{
    if (entry < 0 || entry >= schedule.entryCount())
        return {};
    const DeviceId device =
        schedule.device(schedule.places()[static_cast<std::size_t>(entry)].first);
    const std::vector<std::int32_t>& entries =
        lanes.lanes()[static_cast<std::size_t>(device)].entry;
    const auto place = static_cast<std::size_t>(entry - schedule.begin(device));
    if (place < entries.size() && entries[place] == entry)
        return {device, static_cast<std::int64_t>(place)};
    const auto found = std::find(entries.begin(), entries.end(), entry);
    return found == entries.end() ? SpanRef{} : SpanRef{device, found - entries.begin()};
}

std::vector<Arrow> messageArrows(const Lanes& lanes, const Schedule& schedule, SpanRef span)
{
    std::vector<Arrow> arrows;
    if (!lanes.holds(span))
        return arrows;
    const Dependencies dependencies(schedule);
    const PassId id = schedule.table().id(lanes.pass(span));
    std::vector<Dependency> waits;
    dependencies.append(id, waits);
    for (const Dependency& wait : waits)
        if (wait.message)
            arrows.push_back({spanOf(lanes, schedule, schedule.entryOf(wait.producer)), span});
    std::vector<PassId> consumers;
    dependencies.appendConsumers(id, consumers);
    for (const PassId consumer : consumers)
        if (schedule.device(consumer) != span.lane)
            arrows.push_back({span, spanOf(lanes, schedule, schedule.entryOf(consumer))});
    return arrows;
}

std::vector<SpanRef> linkedSpans(const Lanes& lanes, const Schedule& schedule, SpanRef span,
                                 int direction)
{
    if (!lanes.holds(span))
        return {};
    const Dependencies dependencies(schedule);
    const PassId id = schedule.table().id(lanes.pass(span));
    std::vector<PassId> ends;
    if (direction > 0) {
        dependencies.appendConsumers(id, ends);
    } else {
        std::vector<Dependency> waits;
        dependencies.append(id, waits);
        for (const Dependency& wait : waits)
            ends.push_back(wait.producer);
    }
    std::stable_partition(ends.begin(), ends.end(),
                          [&](PassId end) { return schedule.device(end) != span.lane; });
    std::vector<SpanRef> spans;
    for (const PassId end : ends)
        if (const SpanRef found = spanOf(lanes, schedule, schedule.entryOf(end)); found.valid())
            spans.push_back(found);
    return spans;
}

} // namespace pw::ui
