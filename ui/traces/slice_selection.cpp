// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/slice_selection.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pw::ui {

void SliceSelection::setActivity(ShownActivityPtr activity)
{
    *this = SliceSelection();
    m_activity = std::move(activity);
}

bool SliceSelection::choose(std::optional<ChosenSlice> slice, std::optional<ChosenGap> gap)
{
    if (slice == m_slice && !gap && !m_gap)
        return false;
    m_slice = slice;
    m_gap = std::move(gap);
    m_arrows.clear();
    if (!m_slice ||
        std::find(m_walkedTo.begin(), m_walkedTo.end(), m_slice->slice.id) == m_walkedTo.end())
        m_walkedTo.clear();
    if (m_slice && m_slice->slice.id >= 0)
        m_arrows = linksAt(m_activity->trace, m_activity->source.order(), m_activity->pairs,
                           static_cast<std::int32_t>(m_slice->slice.id));
    return true;
}

std::optional<TimeStretch> SliceSelection::times() const
{
    if (m_gap)
        return TimeStretch{m_gap->gap.start, m_gap->gap.end};
    if (!m_slice)
        return std::nullopt;
    return TimeStretch{m_slice->slice.start, m_slice->slice.end};
}

std::vector<std::int32_t> SliceSelection::endsOf(int direction) const
{
    std::vector<std::int32_t> ends;
    if (m_slice) {
        const auto id = static_cast<std::int32_t>(m_slice->slice.id);
        for (const SliceLink& link : m_arrows)
            if ((direction > 0 ? link.from : link.to) == id)
                ends.push_back(direction > 0 ? link.to : link.from);
    } else if (m_gap) {
        ends.push_back(direction > 0 ? m_gap->gap.next : m_gap->gap.from());
        std::erase(ends, -1);
    }
    return ends;
}

std::int32_t SliceSelection::walk(int direction)
{
    std::vector<std::int32_t> ends = endsOf(direction);
    if (ends.empty())
        return -1;
    m_walkedTo = std::move(ends);
    return m_walkedTo.front();
}

std::int32_t SliceSelection::walkAside(int direction) const
{
    const auto here = m_slice ? std::find(m_walkedTo.begin(), m_walkedTo.end(),
                                          static_cast<std::int32_t>(m_slice->slice.id))
                              : m_walkedTo.end();
    if (here == m_walkedTo.end())
        return -1;
    const auto count = static_cast<std::ptrdiff_t>(m_walkedTo.size());
    return m_walkedTo[static_cast<std::size_t>((here - m_walkedTo.begin() + direction + count) %
                                               count)];
}

} // namespace pw::ui
