// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/text.h"
#include "ui/timeline/time_axis.h"
#include "ui/traces/activity_view.h"

#include <QLabel>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pw::ui {

bool ActivityView::pressLanes(QMouseEvent&)
{
    // Also over slices time is measured: nothing is dragged there.
    hideCard();
    return false;
}

void ActivityView::moveLanes(QMouseEvent& event)
{
    if (event.buttons() == Qt::NoButton)
        hover(event.position().toPoint());
}

const LaneRows::Row* ActivityView::rowAt(QPointF point) const
{
    const int place =
        m_rows.rowAt(static_cast<int>(std::floor(point.y())) + verticalScrollBar()->value());
    return place < 0 ? nullptr : &m_rows.rows()[static_cast<std::size_t>(place)];
}

int ActivityView::laneAt(QPointF point) const
{
    const LaneRows::Row* row = rowAt(point);
    return row == nullptr ? -1 : row->lane;
}

bool ActivityView::pressTitle(QPointF point)
{
    hideCard();
    const LaneRows::Row* row = rowAt(point);
    if (row == nullptr || row->counter >= 0)
        return false;
    toggle(row->key);
    return true;
}

void ActivityView::clickLanes(QPointF point)
{
    // The title of a heading reaches over the lanes.
    if (const LaneRows::Row* row = rowAt(point); row != nullptr && row->lane < 0) {
        if (row->counter < 0)
            toggle(row->key);
        return;
    }
    choose(sliceAt(point.toPoint()));
    if (!m_chosen)
        setStretch(std::nullopt);
}

void ActivityView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const std::optional<ChosenSlice> at = sliceAt(event->position().toPoint())) {
        choose(at);
        open();
    } else if (event->position().x() >= margin()) {
        m_range.fit();
    }
}

// Keys

std::optional<TimeStretch> ActivityView::currentTimes() const
{
    if (!m_chosen)
        return std::nullopt;
    return TimeStretch(m_chosen->slice.start, m_chosen->slice.end);
}

void ActivityView::open()
{
    const auto from = static_cast<double>(m_chosen->slice.start),
               to = static_cast<double>(m_chosen->slice.end);
    const double room = (to - from) * 0.1;
    m_range.show(from - room, to + room);
}

std::vector<ActivitySlice> ActivityView::level(int lane, int depth, Ticks from, Ticks to,
                                               Ticks grain) const
{
    std::vector<std::vector<ActivitySlice>> levels(static_cast<std::size_t>(depth) + 1);
    if (m_activity != nullptr && lane >= 0 && depth >= 0)
        m_activity->source.levels(static_cast<std::size_t>(lane), from, to, grain, levels);
    return levels.back();
}

std::optional<ChosenSlice> ActivityView::sliceOn(int lane, int depth, Ticks time) const
{
    const Ticks end = m_activity->source.lanes()[static_cast<std::size_t>(lane)].end;
    // What comes next may be far: the window grows until it is in it.
    for (Ticks reach = 1'000;; reach *= 8) {
        const Ticks to = std::min(end + 1, time + reach);
        for (const ActivitySlice& slice : level(lane, depth, time, to))
            if (slice.end > time || slice.start >= time)
                return ChosenSlice{lane, slice};
        if (to > end)
            return std::nullopt;
    }
}

void ActivityView::stepAlong(int direction)
{
    if (m_activity == nullptr)
        return;
    if (!m_chosen) {
        for (const LaneRows::Row& row : m_rows.rows())
            if (row.lane >= 0)
                if (const auto first = sliceOn(row.lane, 0, 0)) {
                    goTo(*first);
                    return;
                }
        return;
    }
    const int lane = m_chosen->lane, depth = m_chosen->slice.depth;
    const ActivitySlice& here = m_chosen->slice;
    const Ticks begin = m_activity->source.lanes()[static_cast<std::size_t>(lane)].start;
    if (direction > 0) {
        if (const auto next = sliceOn(lane, depth, std::max(here.end, here.start + 1)))
            goTo(*next);
        return;
    }
    for (Ticks reach = 1'000;; reach *= 8) {
        const Ticks from = std::max(begin, here.start - reach);
        std::vector<ActivitySlice> before = level(lane, depth, from, here.start);
        std::erase_if(before, [&](const ActivitySlice& one) { return one.start >= here.start; });
        if (!before.empty()) {
            goTo({lane, before.back()});
            return;
        }
        if (from <= begin)
            return;
    }
}

/// First through the levels of the lane, then on to the lane beside it.
void ActivityView::stepAcross(int direction)
{
    const int lane = m_chosen->lane, depth = m_chosen->slice.depth + direction;
    const Ticks time = m_chosen->slice.start;
    const LaneRows::Row* own = m_rows.rowOf(lane);
    if (own == nullptr)
        return;
    if (depth >= 0 && depth < own->levels) {
        const std::vector<ActivitySlice> beside = level(lane, depth, time, m_chosen->slice.end);
        if (!beside.empty()) {
            goTo({lane, beside.front()});
            return;
        }
    }
    const std::vector<LaneRows::Row>& rows = m_rows.rows();
    for (auto place = own - rows.data() + direction;
         place >= 0 && place < static_cast<std::ptrdiff_t>(rows.size()); place += direction) {
        const LaneRows::Row& row = rows[static_cast<std::size_t>(place)];
        if (row.lane < 0)
            continue;
        if (const auto beside = sliceOn(row.lane, 0, time)) {
            goTo(*beside);
            return;
        }
    }
}

void ActivityView::goTo(std::int32_t span)
{
    const Trace& trace = m_activity->trace;
    const std::int32_t lane = laneOfSpan(trace, m_activity->source.order(), span);
    if (lane < 0)
        return;
    const TraceSpan& of = trace.spans[static_cast<std::size_t>(span)];
    for (const ActivitySlice& slice : level(lane, of.depth, of.start, of.end + 1))
        if (slice.id == span)
            goTo(ChosenSlice{lane, slice});
}

void ActivityView::walk(int direction)
{
    if (!m_chosen)
        return;
    std::vector<std::int32_t> ends;
    for (const SliceLink& link : m_links)
        if (const auto id = static_cast<std::int32_t>(m_chosen->slice.id);
            (direction > 0 ? link.from : link.to) == id)
            ends.push_back(direction > 0 ? link.to : link.from);
    if (ends.empty())
        return;
    m_walkedTo = ends;
    goTo(ends.front());
}

void ActivityView::walkAside(int direction)
{
    const auto here = m_chosen ? std::find(m_walkedTo.begin(), m_walkedTo.end(),
                                           static_cast<std::int32_t>(m_chosen->slice.id))
                               : m_walkedTo.end();
    if (here == m_walkedTo.end())
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_walkedTo.size());
    goTo(m_walkedTo[static_cast<std::size_t>((here - m_walkedTo.begin() + direction + count) %
                                             count)]);
}

double ActivityView::snapped(double time, QPointF at) const
{
    constexpr double pixels = 6;
    const auto whole = [&](double value) {
        return std::clamp(value, static_cast<double>(m_range.wholeBegin()),
                          static_cast<double>(m_range.wholeEnd()));
    };
    const LaneRows::Row* row = rowAt(at);
    if (row == nullptr || row->lane < 0)
        return whole(time);
    const int depth = (static_cast<int>(at.y()) + verticalScrollBar()->value() - row->top) /
                      ActivityRows::levelHeight;
    double best = time, least = pixels * scale().ticksPerPixel;
    const auto from = static_cast<Ticks>(std::floor(time - least)),
               to = static_cast<Ticks>(std::ceil(time + least));
    for (const ActivitySlice& slice :
         level(row->lane, std::clamp(depth, 0, std::max(0, row->levels - 1)), from, to + 1,
               pixelScale().grain()))
        for (const Ticks edge : {slice.start, slice.end})
            if (const double off = std::abs(static_cast<double>(edge) - time); off < least) {
                least = off;
                best = static_cast<double>(edge);
            }
    return whole(best);
}

// Hover

void ActivityView::leaveEvent(QEvent* event)
{
    hideCard();
    QAbstractScrollArea::leaveEvent(event);
}

bool ActivityView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        hideCard();
    return QAbstractScrollArea::viewportEvent(event);
}

void ActivityView::hideCard()
{
    m_card->hide();
    Q_EMIT told({});
}

void ActivityView::hover(QPoint point)
{
    const int place = m_rows.rowAt(point.y() + verticalScrollBar()->value());
    if (point.x() < TimeAxis::margin() && place >= 0) {
        const ActivityRows::Row& row = m_rows.rows()[static_cast<std::size_t>(place)];
        showCard(row.note.isEmpty() ? row.title : tr("%1\n%2 slices").arg(row.title, row.note),
                 point);
        return;
    }
    const std::optional<ChosenSlice> at = sliceAt(point);
    if (!at) {
        hideCard();
        return;
    }
    const ActivityLane& lane = m_activity->source.lanes()[static_cast<std::size_t>(at->lane)];
    const QString times = tr("%1, %2").arg(
        durationText(static_cast<double>(at->slice.end - at->slice.start)),
        spanText(static_cast<double>(at->slice.start), static_cast<double>(at->slice.end)));
    const QString name =
        fontMetrics().elidedText(nameOf(at->slice), Qt::ElideMiddle, std::max(200, width() / 2));
    showCard(tr("%1\n%2\n%3 · %4").arg(name, times, activityText(at->slice.kind), text(lane.name)),
             point);
    Q_EMIT told(tr("%1: %2").arg(name, times));
}

void ActivityView::showCard(const QString& words, QPoint point)
{
    m_card->setText(words);
    m_card->adjustSize();
    constexpr int away = 14;
    QPoint place = point + QPoint(away, away);
    if (place.x() + m_card->width() > width())
        place.setX(std::max(0, point.x() - away - m_card->width()));
    if (place.y() + m_card->height() > height())
        place.setY(std::max(0, point.y() - away - m_card->height()));
    m_card->move(place);
    m_card->show();
    m_card->raise();
}

} // namespace pw::ui
