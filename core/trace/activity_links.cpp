// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/activity_links.h"

#include "core/trace/activity_kind.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr std::size_t mostArrows = 64;

const TraceSpan& spanAt(const Trace& trace, std::int32_t span)
{
    return trace.spans[static_cast<std::size_t>(span)];
}

/// The first place in a lane whose span begins at a time or later.
std::size_t lowerPlace(const Trace& trace, const ActivityLanes& lanes, std::size_t lane, Ticks time)
{
    const auto first = lanes.spans.begin() + static_cast<std::ptrdiff_t>(lanes.firstSpan[lane]);
    const auto behind =
        lanes.spans.begin() + static_cast<std::ptrdiff_t>(lanes.firstSpan[lane + 1]);
    const auto found =
        std::lower_bound(first, behind, time, [&trace](std::int32_t span, Ticks wanted) {
            return spanAt(trace, span).start < wanted;
        });
    return static_cast<std::size_t>(found - lanes.spans.begin());
}

void addLaunched(const Trace& trace, std::int32_t launch, std::vector<SliceLink>& links)
{
    const TraceSpan& call = spanAt(trace, launch);
    for (std::size_t i = 0; i < trace.spans.size() && links.size() < mostArrows; ++i) {
        const TraceSpan& span = trace.spans[i];
        if (span.queued >= 0 && span.rank == call.rank && span.start - span.queued == call.start)
            links.push_back({SliceLinkKind::Launch, launch, static_cast<std::int32_t>(i)});
    }
}

} // namespace

std::string_view name(SliceLinkKind kind)
{
    constexpr std::array<std::string_view, 3> names = {"launch", "message", "backward"};
    return names[static_cast<std::size_t>(kind)];
}

std::vector<SliceLink> linksAt(const Trace& trace, const ActivityLanes& lanes,
                               std::span<const MessagePair> pairs, std::int32_t span)
{
    std::vector<SliceLink> links;
    if (span < 0 || static_cast<std::size_t>(span) >= trace.spans.size())
        return links;
    const TraceSpan& at = spanAt(trace, span);
    if (const std::int32_t launch = launchOf(trace, lanes, at); launch >= 0)
        links.push_back({SliceLinkKind::Launch, launch, span});
    if (at.activity == ActivityKind::Launch)
        addLaunched(trace, span, links);
    for (const MessagePair& pair : pairs)
        if ((pair.spans[0] == span || pair.spans[1] == span) && links.size() < mostArrows)
            links.push_back({SliceLinkKind::Message, pair.spans[0], pair.spans[1]});
    for (const TraceLink& link : trace.links)
        if ((link.from == span || link.to == span) && links.size() < mostArrows)
            links.push_back({SliceLinkKind::Backward, link.from, link.to});
    return links;
}

std::int32_t launchOf(const Trace& trace, const ActivityLanes& lanes, const TraceSpan& activity)
{
    if (activity.queued < 0)
        return -1;
    const Ticks time = activity.start - activity.queued;
    for (std::size_t lane = 0; lane < lanes.lanes.size(); ++lane) {
        if (lanes.lanes[lane].device)
            continue;
        for (std::size_t at = lowerPlace(trace, lanes, lane, time);
             at < lanes.firstSpan[lane + 1] && spanAt(trace, lanes.spans[at]).start == time; ++at) {
            const TraceSpan& span = spanAt(trace, lanes.spans[at]);
            if (span.rank == activity.rank && span.activity == ActivityKind::Launch)
                return lanes.spans[at];
        }
    }
    return -1;
}

std::int32_t laneOfSpan(const Trace& trace, const ActivityLanes& lanes, std::int32_t span)
{
    if (span < 0 || static_cast<std::size_t>(span) >= trace.spans.size())
        return -1;
    const TraceSpan& wanted = spanAt(trace, span);
    // A track with spans that cross has two lanes.
    for (std::size_t lane = 0; lane < lanes.lanes.size(); ++lane) {
        if (lanes.lanes[lane].track != wanted.track)
            continue;
        for (std::size_t at = lowerPlace(trace, lanes, lane, wanted.start);
             at < lanes.firstSpan[lane + 1] && spanAt(trace, lanes.spans[at]).start == wanted.start;
             ++at)
            if (lanes.spans[at] == span)
                return static_cast<std::int32_t>(lane);
    }
    return -1;
}

} // namespace pw
