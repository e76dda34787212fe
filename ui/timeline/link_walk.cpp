// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/link_walk.h"

#include "ui/timeline/schedule_links.h"

#include <algorithm>

namespace pw::ui {

LinkWalk::LinkWalk(TimelineView& view, std::function<const Schedule*()> schedule)
    : QObject(&view)
    , m_view(view)
    , m_schedule(std::move(schedule))
{
    connect(&view, &TimelineView::walkAsked, this, &LinkWalk::walk);
    connect(&view, &TimelineView::siblingAsked, this, &LinkWalk::goAside);
    connect(&view, &TimelineView::lanesChanged, this, [this] { m_ends.clear(); });
}

void LinkWalk::walk(int direction)
{
    const Schedule* schedule = m_schedule();
    if (schedule == nullptr)
        return;
    std::vector<SpanRef> ends =
        linkedSpans(*m_view.lanes(), *schedule, m_view.current(), direction);
    if (ends.empty())
        return;
    m_ends = std::move(ends);
    m_view.select(m_ends.front());
}

void LinkWalk::goAside(int direction)
{
    const auto here = std::find(m_ends.begin(), m_ends.end(), m_view.current());
    if (here == m_ends.end())
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_ends.size());
    const auto next = (here - m_ends.begin() + direction + count) % count;
    m_view.select(m_ends[static_cast<std::size_t>(next)]);
}

} // namespace pw::ui
