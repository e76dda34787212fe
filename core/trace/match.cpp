// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/match.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

Ticks firstStart(std::span<const RecordedPass> passes)
{
    Ticks first = passes.empty() ? 0 : passes.front().start;
    for (const RecordedPass& record : passes)
        first = std::min(first, record.start);
    return first;
}

Ticks lastEnd(std::span<const RecordedPass> passes)
{
    Ticks last = passes.empty() ? 0 : passes.front().end;
    for (const RecordedPass& record : passes)
        last = std::max(last, record.end);
    return last;
}

bool holds(const OrderEntry& entry, const Pass& pass)
{
    return entry.pass == pass || (entry.paired && entry.partner == pass);
}

void sumUp(const Schedule& schedule, SimResult& result)
{
    result.devices.assign(static_cast<std::size_t>(schedule.devices()), {});
    for (int d = 0; d < schedule.devices(); ++d) {
        DeviceResult& device = result.devices[static_cast<std::size_t>(d)];
        bool any = false;
        for (std::int32_t e = schedule.begin(d); e < schedule.end(d); ++e) {
            const auto at = static_cast<std::size_t>(e);
            if (result.end[at] == 0)
                continue;
            device.busy += result.end[at] - result.start[at];
            device.firstStart =
                any ? std::min(device.firstStart, result.start[at]) : result.start[at];
            device.lastEnd = std::max(device.lastEnd, result.end[at]);
            any = true;
        }
        result.makespan = std::max(result.makespan, device.lastEnd);
    }
}

} // namespace

Result<SimResult> measuredResult(const Schedule& schedule, std::span<const RecordedPass> passes,
                                 std::span<const MemorySample> memory)
{
    std::vector<RecordedPass> ordered;
    for (const RecordedPass& record : passes) {
        if (record.entry < 0)
            continue;
        if (record.entry >= schedule.entryCount() ||
            !holds(schedule.entry(record.entry), record.pass))
            return fail(ErrorCode::BadSchedule,
                        describe(record.pass, schedule.spec()) + " is recorded as entry " +
                            std::to_string(record.entry) + ", which the schedule does not have");
        ordered.push_back(record);
    }
    if (ordered.empty())
        return fail(ErrorCode::BadSchedule, "no pass of the schedule is recorded");
    const Ticks base = firstStart(ordered);
    SimResult result;
    result.start.assign(static_cast<std::size_t>(schedule.entryCount()), 0);
    result.end = result.start;
    for (const RecordedPass& record : ordered) {
        const auto at = static_cast<std::size_t>(record.entry);
        const Ticks start = record.start - base;
        result.start[at] = result.end[at] == 0 ? start : std::min(result.start[at], start);
        result.end[at] = std::max(result.end[at], record.end - base);
    }
    sumUp(schedule, result);
    for (const MemorySample& sample : memory) {
        if (sample.rank < 0 || sample.rank >= schedule.devices())
            continue;
        Bytes& peak = result.devices[static_cast<std::size_t>(sample.rank)].peakActivation;
        peak = std::max(peak, sample.activation());
    }
    return result;
}

TimelineMatch matchPasses(std::span<const RecordedPass> before, std::span<const RecordedPass> after)
{
    TimelineMatch match;
    const Ticks baseBefore = firstStart(before), baseAfter = firstStart(after);
    match.makespanBefore = lastEnd(before) - baseBefore;
    match.makespanAfter = lastEnd(after) - baseAfter;
    struct Place
    {
        const RecordedPass* record = nullptr;
        bool used = false;
    };
    std::map<Pass, Place> places;
    for (const RecordedPass& record : before)
        places.try_emplace(record.pass, Place{&record, false});
    for (const RecordedPass& record : after) {
        const auto found = places.find(record.pass);
        if (found == places.end()) {
            match.onlyAfter.push_back(record);
            continue;
        }
        if (found->second.used)
            continue;
        found->second.used = true;
        const RecordedPass& old = *found->second.record;
        match.matched.push_back({record.pass, record.rank, old.start - baseBefore,
                                 old.end - baseBefore, record.start - baseAfter,
                                 record.end - baseAfter});
    }
    for (const RecordedPass& record : before) {
        const Place& place = places.find(record.pass)->second;
        if (!place.used && place.record == &record)
            match.onlyBefore.push_back(record);
    }
    std::stable_sort(match.matched.begin(), match.matched.end(),
                     [](const MatchedPass& a, const MatchedPass& b) {
                         return std::tuple(a.rank, a.startAfter) < std::tuple(b.rank, b.startAfter);
                     });
    return match;
}

std::vector<RecordedPass> recordsOf(const Schedule& schedule, const SimResult& result)
{
    std::vector<RecordedPass> records;
    for (int rank = 0; rank < schedule.devices(); ++rank) {
        for (std::int32_t e = schedule.begin(rank); e < schedule.end(rank); ++e) {
            const auto at = static_cast<std::size_t>(e);
            const OrderEntry entry = schedule.entry(e);
            records.push_back({0, rank, e, entry.pass, result.start[at], result.end[at]});
            if (entry.paired)
                records.push_back({0, rank, e, entry.partner, result.start[at], result.end[at]});
        }
    }
    return records;
}

} // namespace pw
