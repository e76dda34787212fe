// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/span_walk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pw::ui {

std::optional<TimeStretch> SpanWalk::timesOf(SpanRef span) const
{
    if (!m_lanes.holds(span))
        return std::nullopt;
    const auto index = static_cast<std::size_t>(span.index);
    return TimeStretch{lane(span.lane).start[index], lane(span.lane).end[index]};
}

SpanRef SpanWalk::first() const
{
    for (std::size_t number = 0; number < m_lanes.lanes().size(); ++number)
        if (m_lanes.lanes()[number].size() > 0)
            return {static_cast<std::int32_t>(number), 0};
    return {};
}

SpanRef SpanWalk::along(SpanRef from, int direction) const
{
    const SpanRef next{from.lane, from.index + direction};
    return m_lanes.holds(next) ? next : SpanRef{};
}

SpanRef SpanWalk::across(SpanRef from, int direction) const
{
    const std::optional<TimeStretch> times = timesOf(from);
    const int beside = times ? laneBeside(from.lane, direction) : -1;
    if (beside < 0 || lane(beside).size() == 0)
        return {};
    const std::size_t at = lane(beside).firstEndingAfter(times->start);
    return {beside, static_cast<std::int64_t>(std::min(at, lane(beside).size() - 1))};
}

/// The lane that is shown below (+1) or above (−1) another one; −1: none.
int SpanWalk::laneBeside(int lane, int direction) const
{
    if (m_tree != nullptr)
        return m_tree->laneBeside(lane, direction);
    return lane + direction < static_cast<int>(m_lanes.lanes().size()) ? lane + direction : -1;
}

double SpanWalk::snapped(double time, int lane, double reach) const
{
    if (lane < 0)
        return time;
    const Lane& spans = this->lane(lane);
    const auto at = static_cast<std::int64_t>(spans.firstEndingAfter(static_cast<Ticks>(time)));
    double best = time;
    double least = reach;
    for (std::int64_t i = at - 1; i <= at + 1; ++i) {
        if (i < 0 || i >= static_cast<std::int64_t>(spans.size()))
            continue;
        for (const Ticks edge :
             {spans.start[static_cast<std::size_t>(i)], spans.end[static_cast<std::size_t>(i)]}) {
            if (const double off = std::abs(static_cast<double>(edge) - time); off < least) {
                least = off;
                best = static_cast<double>(edge);
            }
        }
    }
    return best;
}

} // namespace pw::ui
