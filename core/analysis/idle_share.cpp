// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/idle_share.h"

#include <algorithm>
#include <utility>

namespace pw {

IdleSharing::IdleSharing(TimeStretch stretch)
{
    m_share.stretch = {stretch.start, std::max(stretch.start, stretch.end)};
}

void IdleSharing::addLane(std::vector<TimeStretch> work)
{
    for (TimeStretch& one : work) {
        one.start = std::max(one.start, m_share.stretch.start);
        one.end = std::min(one.end, m_share.stretch.end);
    }
    ++m_share.lanes;
    const std::vector<TimeStretch> own = joined(std::move(work));
    for (const TimeStretch& one : own)
        m_share.busy += one.end - one.start;
    m_works.insert(m_works.end(), own.begin(), own.end());
    m_works = joined(std::move(m_works));
}

IdleShare IdleSharing::share() const
{
    IdleShare share = m_share;
    share.noneWorks = share.stretch.end - share.stretch.start;
    for (const TimeStretch& one : m_works)
        share.noneWorks -= one.end - one.start;
    return share;
}

} // namespace pw
