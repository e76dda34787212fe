// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/stack_selection.h"

#include "ui/timeline/schedule_links.h"

#include <algorithm>

namespace pw::ui {

StackSelection::StackSelection(const Rows& rows, ViewRange& range, QObject* parent)
    : QObject(parent)
    , m_rows(rows)
    , m_range(range)
{
}

void StackSelection::reveal(const Pass& pass)
{
    if (m_following)
        return;
    m_following = true;
    double begin = 0, end = 0;
    bool any = false;
    for (const auto& row : m_rows) {
        if (row->timeline == nullptr)
            continue;
        const Schedule& schedule = *row->timeline->schedule;
        const Lanes& lanes = *row->timeline->lanes;
        const SpanRef span = spanOf(lanes, schedule, sameWork(schedule, pass).first);
        if (row->view->current() != span)
            row->view->select(span);
        if (!lanes.holds(span))
            continue;
        const Lane& lane = lanes.lanes()[static_cast<std::size_t>(span.lane)];
        const auto from = static_cast<double>(lane.start[static_cast<std::size_t>(span.index)]);
        const auto to = static_cast<double>(lane.end[static_cast<std::size_t>(span.index)]);
        begin = any ? std::min(begin, from) : from;
        end = any ? std::max(end, to) : to;
        any = true;
    }
    if (any)
        m_range.reveal(begin, end);
    m_following = false;
    Q_EMIT changed();
}

void StackSelection::follow(const StackedRow& row)
{
    if (m_following || row.timeline == nullptr)
        return;
    if (const SpanRef span = row.view->current(); row.timeline->lanes->holds(span)) {
        reveal(row.timeline->lanes->pass(span));
        return;
    }
    m_following = true;
    for (const auto& other : m_rows)
        if (other->view->current().valid())
            other->view->select({});
    m_following = false;
    Q_EMIT changed();
}

} // namespace pw::ui
