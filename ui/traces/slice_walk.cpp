// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/slice_walk.h"

#include "core/trace/activity_links.h"

#include <algorithm>

namespace pw::ui {

namespace {

/// What is looked for may be near or far: a window of this length, then of eight times as much.
constexpr Ticks firstReach = 1'000;
constexpr Ticks furtherReach = 8;

} // namespace

std::vector<ActivitySlice> SliceWalk::level(int lane, int depth, Ticks from, Ticks to,
                                            Ticks grain) const
{
    std::vector<std::vector<ActivitySlice>> levels(static_cast<std::size_t>(depth) + 1);
    m_activity.source.levels(static_cast<std::size_t>(lane), from, to, grain, levels);
    return levels.back();
}

std::optional<ChosenSlice> SliceWalk::at(int lane, int depth, Ticks time) const
{
    const Ticks end = m_activity.source.lanes()[static_cast<std::size_t>(lane)].end;
    for (Ticks reach = firstReach;; reach *= furtherReach) {
        const Ticks to = std::min(end + 1, time + reach);
        for (const ActivitySlice& slice : level(lane, depth, time, to))
            if (slice.end > time || slice.start >= time)
                return ChosenSlice{lane, slice};
        if (to > end)
            return std::nullopt;
    }
}

std::optional<ChosenSlice> SliceWalk::first() const
{
    for (const LaneRows::Row& row : m_rows.rows())
        if (row.lane >= 0)
            if (std::optional<ChosenSlice> found = at(row.lane, 0, 0))
                return found;
    return std::nullopt;
}

std::optional<ChosenSlice> SliceWalk::along(const ChosenSlice& from, int direction) const
{
    if (direction < 0)
        return before(from);
    return at(from.lane, from.slice.depth, std::max(from.slice.end, from.slice.start + 1));
}

std::optional<ChosenSlice> SliceWalk::before(const ChosenSlice& from) const
{
    const Ticks start = from.slice.start;
    const Ticks begin = m_activity.source.lanes()[static_cast<std::size_t>(from.lane)].start;
    for (Ticks reach = firstReach;; reach *= furtherReach) {
        const Ticks window = std::max(begin, start - reach);
        std::vector<ActivitySlice> slices = level(from.lane, from.slice.depth, window, start);
        std::erase_if(slices, [&](const ActivitySlice& one) { return one.start >= start; });
        if (!slices.empty())
            return ChosenSlice{from.lane, slices.back()};
        if (window <= begin)
            return std::nullopt;
    }
}

std::optional<ChosenSlice> SliceWalk::across(const ChosenSlice& from, int direction) const
{
    const int depth = from.slice.depth + direction;
    const LaneRows::Row* own = m_rows.rowOf(from.lane);
    if (own != nullptr && depth >= 0 && depth < own->levels) {
        const std::vector<ActivitySlice> slices =
            level(from.lane, depth, from.slice.start, from.slice.end);
        if (!slices.empty())
            return ChosenSlice{from.lane, slices.front()};
    }
    return beside(from.lane, from.slice.start, direction);
}

std::optional<ChosenSlice> SliceWalk::beside(int lane, Ticks time, int direction) const
{
    const std::vector<LaneRows::Row>& rows = m_rows.rows();
    const LaneRows::Row* own = m_rows.rowOf(lane);
    if (own == nullptr)
        return std::nullopt;
    for (auto place = own - rows.data() + direction;
         place >= 0 && place < static_cast<std::ptrdiff_t>(rows.size()); place += direction)
        if (const int other = rows[static_cast<std::size_t>(place)].lane; other >= 0)
            if (std::optional<ChosenSlice> found = at(other, 0, time))
                return found;
    return std::nullopt;
}

std::optional<ChosenSlice> SliceWalk::ofSpan(std::int32_t span) const
{
    const Trace& trace = m_activity.trace;
    const std::int32_t lane = laneOfSpan(trace, m_activity.source.order(), span);
    if (lane < 0)
        return std::nullopt;
    const TraceSpan& of = trace.spans[static_cast<std::size_t>(span)];
    for (const ActivitySlice& slice : level(lane, of.depth, of.start, of.end + 1))
        if (slice.id == span)
            return ChosenSlice{lane, slice};
    return std::nullopt;
}

} // namespace pw::ui
