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
    for (const DeviceId d : Ids<DeviceId>(schedule.devices())) {
        DeviceResult& device = result.devices[static_cast<std::size_t>(d)];
        std::vector<std::pair<Ticks, Ticks>> ran;
        for (const EntryId e : schedule.entries(d)) {
            const auto at = static_cast<std::size_t>(e);
            if (result.end[at] != 0)
                ran.emplace_back(result.start[at], result.end[at]);
        }
        std::sort(ran.begin(), ran.end());
        // Passes of several streams may run at once; a device is busy once then.
        for (const auto& [start, end] : ran) {
            if (device.lastEnd == 0)
                device.firstStart = device.lastEnd = start;
            device.busy += std::max<Ticks>(0, end - std::max(start, device.lastEnd));
            device.lastEnd = std::max(device.lastEnd, end);
        }
        result.makespan = std::max(result.makespan, device.lastEnd);
    }
}

using FirstRecords = std::map<Pass, const RecordedPass*>;

FirstRecords firstRecords(std::span<const RecordedPass> passes)
{
    FirstRecords first;
    for (const RecordedPass& record : passes)
        first.try_emplace(record.pass, &record);
    return first;
}

Pass ofKind(Pass pass, PassKind kind)
{
    pass.kind = kind;
    return pass;
}

/// One record, or a B and a W that do the work of a BW.
struct MatchedWork
{
    Ticks start = 0;
    Ticks end = 0;
    Ticks time = 0; ///< without what lies between B and W
    int records = 0;
    bool split = false; ///< stands for a BW

    bool empty() const { return records == 0; }

    void add(const RecordedPass& record)
    {
        start = empty() ? record.start : std::min(start, record.start);
        end = empty() ? record.end : std::max(end, record.end);
        time += record.end - record.start;
        ++records;
    }
};

/// The records of one timeline that do the work of a pass which stands in it or in another one:
/// the pass itself where both have it; where one has a BW and the other B and W, whichever it has.
MatchedWork workLike(const FirstRecords& records, const Pass& pass, const FirstRecords& others)
{
    MatchedWork work;
    const auto own = records.find(pass);
    if (own != records.end() && others.count(pass) > 0) {
        work.add(*own->second);
        return work;
    }
    if (pass.kind != PassKind::B && pass.kind != PassKind::W && pass.kind != PassKind::BW)
        return work;
    if (const auto whole = records.find(ofKind(pass, PassKind::BW)); whole != records.end()) {
        work.add(*whole->second);
        return work;
    }
    const auto input = records.find(ofKind(pass, PassKind::B));
    const auto weight = records.find(ofKind(pass, PassKind::W));
    // Where the other one is split too, each of the two stands for itself.
    if (input == records.end() || weight == records.end() ||
        others.count(ofKind(pass, PassKind::BW)) == 0)
        return work;
    work.add(*input->second);
    work.add(*weight->second);
    work.split = true;
    return work;
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
                        "%1 is recorded as entry %2, which the schedule does not have",
                        describe(record.pass, schedule.spec()), record.entry);
        ordered.push_back(record);
    }
    if (ordered.empty())
        return fail(ErrorCode::BadSchedule, "no pass of the schedule is recorded");
    const Ticks base = firstStart(ordered);
    SimResult result;
    result.start.assign(static_cast<std::size_t>(schedule.entryCount()), 0);
    result.end = result.start;
    for (const RecordedPass& record : ordered) {
        const std::size_t at = record.entry.index();
        const Ticks start = record.start - base;
        result.start[at] = result.end[at] == 0 ? start : std::min(result.start[at], start);
        result.end[at] = std::max(result.end[at], record.end - base);
    }
    sumUp(schedule, result);
    for (const MemorySample& sample : memory) {
        if (sample.rank < 0 || sample.rank >= schedule.devices())
            continue;
        Bytes& peak = result.devices[deviceOf(sample.rank).index()].peakActivation;
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
    const FirstRecords placesBefore = firstRecords(before), placesAfter = firstRecords(after);
    for (const RecordedPass& record : after) {
        if (placesAfter.at(record.pass) != &record)
            continue; // recorded a second time
        const MatchedWork now = workLike(placesAfter, record.pass, placesBefore);
        const MatchedWork then = workLike(placesBefore, record.pass, placesAfter);
        if (now.empty() || then.empty())
            match.onlyAfter.push_back(record);
        else if (!now.split || record.pass.kind == PassKind::B) // a W comes with its B
            match.matched.push_back({now.split ? ofKind(record.pass, PassKind::BW) : record.pass,
                                     record.rank, then.start - baseBefore, then.end - baseBefore,
                                     now.start - baseAfter, now.end - baseAfter, then.time,
                                     now.time, now.split || then.split});
    }
    for (const RecordedPass& record : before) {
        if (placesBefore.at(record.pass) == &record &&
            (workLike(placesBefore, record.pass, placesAfter).empty() ||
             workLike(placesAfter, record.pass, placesBefore).empty()))
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
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        for (const EntryId e : schedule.entries(device)) {
            const auto at = static_cast<std::size_t>(e);
            const OrderEntry entry = schedule.entry(e);
            records.push_back({0, rankOf(device), e, entry.pass, result.start[at], result.end[at]});
            if (entry.paired)
                records.push_back(
                    {0, rankOf(device), e, entry.partner, result.start[at], result.end[at]});
        }
    }
    return records;
}

} // namespace pw
