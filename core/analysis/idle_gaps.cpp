// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/idle_gaps.h"

#include "core/trace/activity_kind.h"
#include "core/trace/activity_links.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

namespace pw {

namespace {

/// The time that two stretches share.
Ticks sharedTime(Ticks start, Ticks end, Ticks from, Ticks to)
{
    return std::max<Ticks>(0, std::min(end, to) - std::max(start, from));
}

/// The span before each one of a lane that is around it, as places; −1: none.
void findAround(const Trace& trace, const ActivityLanes& lanes, std::size_t lane,
                std::vector<std::int32_t>& around)
{
    const auto first = static_cast<std::int32_t>(lanes.firstSpan[lane]);
    const auto at = [&](std::int32_t place) -> const TraceSpan& {
        return trace.spans[static_cast<std::size_t>(lanes.spans[static_cast<std::size_t>(place)])];
    };
    for (auto place = first; place < static_cast<std::int32_t>(lanes.firstSpan[lane + 1]);
         ++place) {
        std::int32_t outer = place > first ? place - 1 : -1;
        while (outer >= 0 && at(outer).end <= at(place).start)
            outer = around[static_cast<std::size_t>(outer)];
        around[static_cast<std::size_t>(place)] = outer;
    }
}

} // namespace

std::string_view name(IdleCause cause)
{
    constexpr std::array<std::string_view, 7> names = {"host",    "stream", "peer", "launch",
                                                       "unknown", "before", "after"};
    return names[static_cast<std::size_t>(cause)];
}

std::int32_t IdleGap::from() const
{
    switch (cause) {
    case IdleCause::Host:
    case IdleCause::Launch:
    case IdleCause::Before:
        return launch;
    case IdleCause::Stream:
        return other;
    case IdleCause::Peer:
        return peerSpan;
    case IdleCause::Unknown:
    case IdleCause::After:
        break;
    }
    return -1;
}

IdleGaps::IdleGaps(const Trace& trace, const ActivityLanes& lanes,
                   std::span<const MessagePair> pairs)
    : m_trace(trace)
    , m_lanes(lanes)
    , m_devices(workDevices(trace))
    , m_ofTrack(trace.tracks.size())
    , m_ofDevice(m_devices.devices.size())
    , m_laneOfTrack(trace.tracks.size(), -1)
    , m_around(lanes.spans.size(), -1)
    , m_waits(peerWaits(trace, pairs))
{
    std::vector<std::vector<std::int32_t>> work(m_devices.devices.size());
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
        if (isDeviceWork(trace.spans[i].activity))
            work[static_cast<std::size_t>(
                     m_devices.ofTrack[static_cast<std::size_t>(trace.spans[i].track)])]
                .push_back(static_cast<std::int32_t>(i));
    for (std::size_t device = 0; device < work.size(); ++device)
        findRows(device, std::move(work[device]));
    for (std::size_t lane = 0; lane < lanes.lanes.size(); ++lane) {
        const ActivityLane& one = lanes.lanes[lane];
        m_start = lane == 0 ? one.start : std::min(m_start, one.start);
        m_end = std::max(m_end, one.end);
        if (one.track >= 0 && m_laneOfTrack[static_cast<std::size_t>(one.track)] < 0)
            m_laneOfTrack[static_cast<std::size_t>(one.track)] = static_cast<std::int32_t>(lane);
        if (!one.device)
            findAround(trace, lanes, lane, m_around);
    }
    std::copy_if(m_waits.begin(), m_waits.end(), std::back_inserter(m_labelled),
                 [this](const PeerWait& one) { return span(one.span).label >= 0; });
    std::stable_sort(m_labelled.begin(), m_labelled.end(),
                     [this](const PeerWait& a, const PeerWait& b) {
                         return std::pair(span(a.span).rank, span(a.span).start) <
                                std::pair(span(b.span).rank, span(b.span).start);
                     });
}

/// The last labelled message of its rank to begin before a kernel, if it is around it. Messages
/// that wait together overlap, so a few before that one are asked, too.
PeerWait IdleGaps::waitWithin(std::int32_t kernel) const
{
    constexpr int mostAsked = 16;
    const TraceSpan& one = span(kernel);
    if (one.activity != ActivityKind::Communication || !isMessageKernel(m_trace, kernel))
        return {};
    auto at =
        std::upper_bound(m_labelled.begin(), m_labelled.end(), std::pair(one.rank, one.start),
                         [this](const auto& wanted, const PeerWait& wait) {
                             return wanted < std::pair(span(wait.span).rank, span(wait.span).start);
                         });
    for (int asked = 0; asked < mostAsked && at != m_labelled.begin(); ++asked) {
        --at;
        const TraceSpan& message = span(at->span);
        if (message.rank != one.rank)
            break;
        if (message.end < one.end)
            continue;
        const Ticks waited = std::min(message.start + at->waited, one.end) - one.start;
        return waited > 0 ? PeerWait{kernel, at->peer, waited} : PeerWait();
    }
    return {};
}

void IdleGaps::findRows(std::size_t device, std::vector<std::int32_t> work)
{
    std::vector<std::vector<std::int32_t>> streams(m_trace.tracks.size());
    sortWork(m_trace, work);
    for (const std::int32_t one : work)
        streams[static_cast<std::size_t>(span(one).track)].push_back(one);
    const auto rowOf = [this](const std::vector<std::int32_t>& order, std::vector<WorkGap> gaps) {
        std::int32_t last = order.front();
        for (const std::int32_t one : order)
            last = span(one).end >= span(last).end ? one : last;
        gaps.shrink_to_fit();
        return Row{order.front(), last, std::move(gaps)};
    };
    m_ofDevice[device] = rowOf(work, workGaps(m_trace, work));
    sortByEnd(m_trace, work);
    for (std::size_t track = 0; track < streams.size(); ++track)
        if (!streams[track].empty())
            m_ofTrack[track] = rowOf(streams[track], workGaps(m_trace, streams[track], work));
}

std::optional<IdleGap> IdleGaps::ofStream(std::size_t lane, Ticks time) const
{
    if (lane >= m_lanes.lanes.size() || m_lanes.lanes[lane].track < 0)
        return std::nullopt;
    return at(m_ofTrack[static_cast<std::size_t>(m_lanes.lanes[lane].track)], time);
}

std::optional<IdleGap> IdleGaps::ofDevice(std::size_t lane, Ticks time) const
{
    if (lane >= m_lanes.lanes.size() || m_lanes.lanes[lane].track < 0)
        return std::nullopt;
    const std::int32_t device =
        m_devices.ofTrack[static_cast<std::size_t>(m_lanes.lanes[lane].track)];
    return device < 0 ? std::nullopt : at(m_ofDevice[static_cast<std::size_t>(device)], time);
}

std::optional<IdleGap> IdleGaps::at(const Row& row, Ticks time) const
{
    if (row.first < 0 || time < m_start || time >= m_end)
        return std::nullopt;
    if (time < span(row.first).start)
        return before(row);
    if (time >= span(row.last).end)
        return after(row);
    const auto behind = std::upper_bound(
        row.gaps.begin(), row.gaps.end(), time,
        [this](Ticks wanted, const WorkGap& gap) { return wanted < span(gap.previous).end; });
    if (behind == row.gaps.begin() || time >= span(std::prev(behind)->next).start)
        return std::nullopt;
    return gapOf(*std::prev(behind));
}

IdleGap IdleGaps::before(const Row& row) const
{
    IdleGap gap;
    gap.start = m_start;
    gap.end = span(row.first).start;
    gap.cause = IdleCause::Before;
    gap.next = row.first;
    gap.launch = launchOf(m_trace, m_lanes, span(row.first));
    gap.text = sentences().explain(gap);
    return gap;
}

IdleGap IdleGaps::after(const Row& row) const
{
    IdleGap gap;
    gap.start = span(row.last).end;
    gap.end = m_end;
    gap.cause = IdleCause::After;
    gap.previous = row.last;
    gap.text = sentences().explain(gap);
    return gap;
}

IdleGap IdleGaps::gapOf(const WorkGap& work) const
{
    IdleGap gap;
    gap.start = span(work.previous).end;
    gap.end = span(work.next).start;
    gap.previous = work.previous;
    gap.next = work.next;
    gap.parts = partsOf(m_trace, work);
    findHost(gap);
    findOther(gap, work);
    const std::array<std::pair<Ticks, IdleCause>, 4> parts = {
        {{gap.parts.host, IdleCause::Host},
         {gap.parts.stream, 2 * gap.peer >= gap.parts.stream ? IdleCause::Peer : IdleCause::Stream},
         {gap.parts.launch, IdleCause::Launch},
         {gap.parts.unknown, IdleCause::Unknown}}};
    gap.cause = std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
                    return a.first < b.first;
                })->second;
    gap.text = sentences().explain(gap);
    return gap;
}

template<typename Take>
void IdleGaps::around(std::size_t lane, Ticks time, const Take& take) const
{
    const auto first = m_lanes.spans.begin() + static_cast<std::ptrdiff_t>(m_lanes.firstSpan[lane]);
    const auto behind = std::upper_bound(
        first, m_lanes.spans.begin() + static_cast<std::ptrdiff_t>(m_lanes.firstSpan[lane + 1]),
        time, [this](Ticks wanted, std::int32_t index) { return wanted < span(index).start; });
    if (behind == first)
        return;
    for (auto place = static_cast<std::int32_t>(behind - m_lanes.spans.begin()) - 1; place >= 0;
         place = m_around[static_cast<std::size_t>(place)]) {
        const std::int32_t index = m_lanes.spans[static_cast<std::size_t>(place)];
        if (span(index).end > time && take(index))
            return;
    }
}

/// What takes more than half of a stretch is around its middle.
void IdleGaps::findHost(IdleGap& gap) const
{
    gap.launch = launchOf(m_trace, m_lanes, span(gap.next));
    const std::int32_t lane = laneOfSpan(m_trace, m_lanes, gap.launch);
    if (lane < 0 || gap.parts.host == 0)
        return;
    const auto thread = static_cast<std::size_t>(lane);
    const Ticks until = gap.start + gap.parts.host;
    around(thread, gap.start + gap.parts.host / 2, [&](std::int32_t index) {
        const Ticks taken = sharedTime(span(index).start, span(index).end, gap.start, until);
        const bool most = 2 * taken > gap.parts.host;
        gap.doing = most ? index : -1;
        return most;
    });
    sumThread(gap, thread);
}

/// What the thread does in the host's part: what begins in it, and what is around its start.
void IdleGaps::sumThread(IdleGap& gap, std::size_t thread) const
{
    const Ticks until = gap.start + gap.parts.host;
    Ticks covered = gap.start;
    around(thread, gap.start, [&](std::int32_t index) {
        const TraceSpan& one = span(index);
        if (one.start == gap.start)
            return false;
        if (one.activity == ActivityKind::Wait && gap.wait < 0)
            gap.wait = index;
        ++gap.slices;
        covered = std::max(covered, std::min(one.end, until));
        return false;
    });
    const auto begun = [&](Ticks time) {
        return std::lower_bound(
            m_lanes.spans.begin() + static_cast<std::ptrdiff_t>(m_lanes.firstSpan[thread]),
            m_lanes.spans.begin() + static_cast<std::ptrdiff_t>(m_lanes.firstSpan[thread + 1]),
            time, [this](std::int32_t index, Ticks wanted) { return span(index).start < wanted; });
    };
    const auto first = begun(gap.start), behind = begun(until);
    gap.slices += behind - first;
    gap.busy = covered - gap.start;
    constexpr std::ptrdiff_t mostSummed = 4096;
    if (behind - first > mostSummed) {
        gap.busy = -1;
        return;
    }
    for (auto at = first; at != behind; ++at) {
        const Ticks end = std::min(span(*at).end, until);
        gap.busy += std::max<Ticks>(0, end - std::max(covered, span(*at).start));
        covered = std::max(covered, end);
    }
}

void IdleGaps::findOther(IdleGap& gap, const WorkGap& work) const
{
    const TraceSpan& next = span(gap.next);
    const TraceSpan& first = span(work.first);
    if (gap.parts.launch > 0 && first.track != next.track &&
        launchedAt(next) > std::max(gap.start, launchedAt(first)))
        gap.ahead = work.first;
    if (gap.parts.stream == 0)
        return;
    gap.other = work.last;
    const auto waits = waitOf(work.last);
    if (!waits)
        return;
    const Ticks begun = span(work.last).start;
    gap.peer = sharedTime(begun, begun + waits->wait.waited, gap.start + gap.parts.host, gap.end);
    gap.peerSpan = gap.peer > 0 ? waits->wait.peer : -1;
}

std::vector<IdleGap> IdleGaps::longest(std::size_t device, std::size_t count) const
{
    const std::vector<WorkGap>& gaps = m_ofDevice[device].gaps;
    std::vector<std::size_t> order(gaps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto length = [&](std::size_t i) {
        return span(gaps[i].next).start - span(gaps[i].previous).end;
    };
    const auto behind = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
    std::partial_sort(order.begin(), behind, order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(length(b), a) < std::pair(length(a), b);
    });
    std::vector<IdleGap> found;
    for (auto one = order.begin(); one != behind; ++one)
        found.push_back(gapOf(gaps[*one]));
    return found;
}

IdleTime IdleGaps::sum(std::size_t device) const
{
    IdleTime sum;
    for (const WorkGap& gap : m_ofDevice[device].gaps)
        sum += partsOf(m_trace, gap);
    return sum;
}

std::optional<PeerShare> IdleGaps::waitOf(std::int32_t index) const
{
    const auto found = std::lower_bound(
        m_waits.begin(), m_waits.end(), index,
        [](const PeerWait& one, std::int32_t wanted) { return one.span < wanted; });
    const bool known = found != m_waits.end() && found->span == index;
    PeerShare share;
    share.wait = known ? *found : waitWithin(index);
    if (share.wait.span < 0)
        return std::nullopt;
    share.rank = span(share.wait.peer).rank;
    share.text = sentences().wait(share.wait);
    return share;
}

} // namespace pw
