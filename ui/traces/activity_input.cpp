// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_sentences.h"
#include "ui/text.h"
#include "ui/timeline/time_axis.h"
#include "ui/traces/activity_view.h"

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
    const std::optional<ChosenSlice> slice = sliceAt(point.toPoint());
    choose(slice, slice ? std::nullopt : gapAt(point));
    if (!slice)
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
    if (m_gap)
        return TimeStretch{m_gap->gap.start, m_gap->gap.end};
    if (!m_chosen)
        return std::nullopt;
    return TimeStretch{m_chosen->slice.start, m_chosen->slice.end};
}

void ActivityView::open()
{
    const std::optional<TimeStretch> times = currentTimes();
    const auto from = static_cast<double>(times->start), to = static_cast<double>(times->end);
    const double room = (to - from) * 0.1;
    m_range.show(from - room, to + room);
}

void ActivityView::stepAlong(int direction)
{
    if (m_activity == nullptr)
        return;
    const SliceWalk walk = this->walk();
    if (m_chosen)
        goTo(walk.along(*m_chosen, direction));
    else
        goTo(m_gap ? walk.at(m_gap->lane, 0, direction > 0 ? m_gap->gap.end : m_gap->gap.start - 1)
                   : walk.first());
}

void ActivityView::stepAcross(int direction)
{
    if (m_chosen)
        goTo(walk().across(*m_chosen, direction));
    else if (m_gap)
        goTo(walk().beside(m_gap->lane, m_gap->gap.start, direction));
}

void ActivityView::goTo(std::int32_t span)
{
    goTo(walk().ofSpan(span));
}

/// Out of a gap: to what it waited for, or to what it ends with.
void ActivityView::walk(int direction)
{
    std::vector<std::int32_t> ends;
    if (m_chosen) {
        const auto id = static_cast<std::int32_t>(m_chosen->slice.id);
        for (const SliceLink& link : m_links)
            if ((direction > 0 ? link.from : link.to) == id)
                ends.push_back(direction > 0 ? link.to : link.from);
    } else if (m_gap) {
        ends.push_back(direction > 0 ? m_gap->gap.next : m_gap->gap.from());
        std::erase(ends, -1);
    }
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
         walk().level(row->lane, std::clamp(depth, 0, std::max(0, row->levels - 1)), from, to + 1,
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
    if (point.x() < margin() && place >= 0) {
        const ActivityRows::Row& row = m_rows.rows()[static_cast<std::size_t>(place)];
        m_card->showAt(
            row.note.isEmpty() ? row.title : tr("%1\n%2 slices").arg(row.title, row.note), point);
        return;
    }
    const std::optional<ChosenSlice> at = sliceAt(point);
    if (!at) {
        const std::optional<ChosenGap> gap = gapAt(point);
        if (!gap) {
            hideCard();
            return;
        }
        const QString head =
            tr("idle %1").arg(durationText(static_cast<double>(gap->gap.end - gap->gap.start)));
        const QString why = coreSentence(gap->gap.text);
        m_card->showAt(tr("%1\n%2").arg(head, why), point);
        Q_EMIT told(tr("%1: %2").arg(head, why));
        return;
    }
    const ActivityLane& lane = m_activity->source.lanes()[static_cast<std::size_t>(at->lane)];
    const QString times = tr("%1, %2").arg(
        durationText(static_cast<double>(at->slice.end - at->slice.start)),
        spanText(static_cast<double>(at->slice.start), static_cast<double>(at->slice.end)));
    const QString name =
        fontMetrics().elidedText(nameOf(at->slice), Qt::ElideMiddle, std::max(200, width() / 2));
    QString words =
        tr("%1\n%2\n%3 · %4").arg(name, times, activityText(at->slice.kind), text(lane.name));
    if (const std::optional<PeerShare> peer = waitOf(at->slice))
        words = tr("%1\n%2").arg(words, coreSentence(peer->text));
    m_card->showAt(words, point);
    Q_EMIT told(tr("%1: %2").arg(name, times));
}

} // namespace pw::ui
