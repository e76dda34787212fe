// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/work_gaps.h"

#include "core/trace/activity_kind.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

const TraceSpan& workAt(const Trace& trace, std::int32_t index)
{
    return trace.spans[static_cast<std::size_t>(index)];
}

} // namespace

IdleTime& IdleTime::operator+=(const IdleTime& more)
{
    host += more.host;
    stream += more.stream;
    launch += more.launch;
    unknown += more.unknown;
    return *this;
}

WorkDevices workDevices(const Trace& trace)
{
    using Key = std::tuple<TraceRankId, std::int32_t, std::string>;
    std::vector<bool> seen(trace.tracks.size(), false);
    std::map<Key, std::vector<std::size_t>> tracks;
    for (const TraceSpan& span : trace.spans) {
        const auto track = static_cast<std::size_t>(span.track);
        if (seen[track] || !isDeviceWork(span.activity))
            continue;
        seen[track] = true;
        const TraceTrack& row = trace.tracks[track];
        tracks[{span.rank, row.deviceNumber, row.process}].push_back(track);
    }
    WorkDevices found;
    found.ofTrack.assign(trace.tracks.size(), -1);
    for (const auto& [key, rows] : tracks) {
        for (const std::size_t track : rows)
            found.ofTrack[track] = static_cast<std::int32_t>(found.devices.size());
        found.devices.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key)});
    }
    return found;
}

void sortWork(const Trace& trace, std::vector<std::int32_t>& work)
{
    std::sort(work.begin(), work.end(), [&trace](std::int32_t a, std::int32_t b) {
        return std::tuple(workAt(trace, a).start, workAt(trace, a).end, a) <
               std::tuple(workAt(trace, b).start, workAt(trace, b).end, b);
    });
}

void sortByEnd(const Trace& trace, std::vector<std::int32_t>& work)
{
    std::sort(work.begin(), work.end(), [&trace](std::int32_t a, std::int32_t b) {
        return std::tuple(workAt(trace, a).end, workAt(trace, a).start, a) <
               std::tuple(workAt(trace, b).end, workAt(trace, b).start, b);
    });
}

std::vector<WorkGap> workGaps(const Trace& trace, std::span<const std::int32_t> work)
{
    std::vector<WorkGap> gaps;
    if (work.empty())
        return gaps;
    std::int32_t previous = work.front();
    for (const std::int32_t next : work) {
        if (workAt(trace, next).start > workAt(trace, previous).end)
            gaps.push_back({previous, next, previous, next});
        if (workAt(trace, next).end >= workAt(trace, previous).end)
            previous = next;
    }
    std::int32_t first = work.back();
    auto gap = gaps.rbegin();
    for (std::size_t i = work.size(); i-- > 0 && gap != gaps.rend();) {
        if (launchedAt(workAt(trace, work[i])) <= launchedAt(workAt(trace, first)))
            first = work[i];
        if (gap->next == work[i])
            (gap++)->first = first;
    }
    return gaps;
}

std::vector<WorkGap> workGaps(const Trace& trace, std::span<const std::int32_t> work,
                              std::span<const std::int32_t> device)
{
    std::vector<WorkGap> gaps = workGaps(trace, work);
    for (WorkGap& gap : gaps) {
        // What ended before the next one began, or as it began and is before it in order.
        const TraceSpan& next = workAt(trace, gap.next);
        const auto key = std::tuple(next.start, next.start, next.end, gap.next);
        const auto behind =
            std::partition_point(device.begin(), device.end(), [&trace, &key](std::int32_t index) {
                const TraceSpan& span = workAt(trace, index);
                return std::tuple(span.end, span.start, span.end, index) < key;
            });
        if (behind != device.begin())
            gap.last = *std::prev(behind);
    }
    return gaps;
}

IdleTime partsOf(const Trace& trace, const WorkGap& gap)
{
    const TraceSpan& next = workAt(trace, gap.next);
    const TraceSpan& last = workAt(trace, gap.last);
    const Ticks start = workAt(trace, gap.previous).end;
    IdleTime parts;
    const Ticks launched = launchedAt(next);
    if (launched == unlaunched) {
        parts.unknown = next.start - start;
        return parts;
    }
    const Ticks pending = std::clamp(launchedAt(workAt(trace, gap.first)), start, next.start);
    parts.host = pending - start;
    const bool handed = next.track != last.track && launched < last.end;
    (handed ? parts.stream : parts.launch) = next.start - pending;
    return parts;
}

} // namespace pw
