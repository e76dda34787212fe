// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

// What mouse and keys do to the passes of a timeline; what they do to every view of lanes stands in
// `lane_gestures.cpp` and `lane_keys.cpp`.

namespace pw::ui {

bool TimelineView::pressLanes(QMouseEvent& event)
{
    m_pressModifiers = event.modifiers();
    const bool add = (m_pressModifiers & Qt::ControlModifier) != 0;
    if (const SpanRef span = spanAt(pressPoint()); span.valid()) {
        pressSpan(span);
        return true;
    }
    if (pressPoint().x() < margin())
        return false;
    if ((m_pressModifiers & Qt::ShiftModifier) != 0) {
        m_kept = add ? m_overlay.selected : std::vector<SpanRef>{};
        m_gesture = Gesture::Band;
        return true;
    }
    if (!add)
        select({});
    return false;
}

/// A press selects what it may drag; what only a click does waits for the release.
void TimelineView::pressSpan(SpanRef span)
{
    const std::vector<SpanRef>& selected = m_overlay.selected;
    const bool known = std::find(selected.begin(), selected.end(), span) != selected.end();
    const bool add = (m_pressModifiers & Qt::ControlModifier) != 0;
    m_addedByPress = !known && (m_pressModifiers & Qt::ShiftModifier) == 0;
    if (m_addedByPress)
        select(span, add);
    m_pressed = span;
    m_gesture = Gesture::Press;
}

void TimelineView::clickSpan(SpanRef span)
{
    if ((m_pressModifiers & Qt::ShiftModifier) != 0)
        selectUpTo(span);
    else if ((m_pressModifiers & Qt::ControlModifier) == 0 && m_overlay.selected.size() > 1)
        select(span);
    else if ((m_pressModifiers & Qt::ControlModifier) != 0 && !m_addedByPress)
        select(span, true);
}

/// Adds what stands between the current span and this one on their lane.
void TimelineView::selectUpTo(SpanRef span)
{
    std::vector<SpanRef> spans = m_overlay.selected;
    const SpanRef from = current().lane == span.lane ? current() : span;
    for (std::int64_t i = std::min(from.index, span.index); i <= std::max(from.index, span.index);
         ++i)
        if (const SpanRef one{span.lane, i}; one != span)
            if (std::find(m_overlay.selected.begin(), m_overlay.selected.end(), one) ==
                m_overlay.selected.end())
                spans.push_back(one);
    std::erase(spans, span);
    spans.push_back(span);
    setSelection(std::move(spans));
}

std::vector<SpanRef> TimelineView::spansIn(const QRectF& band) const
{
    std::vector<SpanRef> spans;
    const LaneGeometry geometry = laneGeometry();
    const auto from = static_cast<Ticks>(std::floor(timeAt(band.left())));
    const auto to = static_cast<Ticks>(std::ceil(timeAt(band.right())));
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(m_lanes->lanes().size()); ++i) {
        const QRectF area = geometry.laneArea(i);
        if (area.isEmpty() || area.bottom() < band.top() || area.top() > band.bottom())
            continue;
        const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(i)];
        for (std::size_t at = lane.firstEndingAfter(from); at < lane.size(); ++at) {
            if (lane.start[at] >= to)
                break;
            spans.push_back({i, static_cast<std::int64_t>(at)});
        }
    }
    return spans;
}

void TimelineView::moveBand()
{
    m_overlay.band = QRectF(pressPoint(), pointer()).normalized();
    m_overlay.selected = m_kept;
    for (const SpanRef span : spansIn(*m_overlay.band))
        if (std::find(m_kept.begin(), m_kept.end(), span) == m_kept.end())
            m_overlay.selected.push_back(span);
    viewport()->update();
}

void TimelineView::moveLanes(QMouseEvent& event)
{
    const QPointF point = event.position();
    switch (m_gesture) {
    case Gesture::None:
        Q_EMIT hovered(spanAt(point), point.x() < margin() ? -1 : laneAt(point), timeAt(point.x()));
        break;
    case Gesture::Press:
        if ((point - pressPoint()).manhattanLength() < QApplication::startDragDistance())
            break;
        m_gesture = Gesture::Drag;
        Q_EMIT dragBegun(m_pressed);
        [[fallthrough]];
    case Gesture::Drag:
        viewport()->setCursor(Qt::ClosedHandCursor);
        followEdge(point, Qt::Horizontal);
        moveHeld();
        break;
    case Gesture::Band:
        moveBand();
        break;
    }
}

/// What is dragged comes to where the pointer is now.
void TimelineView::moveHeld()
{
    if (m_gesture == Gesture::Drag)
        Q_EMIT dragMoved(timeAt(pointer().x()) - pressTime(), laneAt(pointer()));
}

void TimelineView::setDraggedAt(std::optional<QPointF> point)
{
    if (point && point->x() >= margin())
        followEdge(*point, Qt::Horizontal | Qt::Vertical);
    else
        stopFollowing();
}

void TimelineView::releaseLanes(QMouseEvent& event)
{
    const bool click = m_gesture == Gesture::Press && event.button() == Qt::LeftButton;
    endGesture(true);
    if (click)
        clickSpan(m_pressed);
}

bool TimelineView::giveUp()
{
    if (m_gesture == Gesture::None)
        return false;
    endGesture(false);
    return true;
}

void TimelineView::endGesture(bool dropped)
{
    const Gesture ended = m_gesture;
    m_gesture = Gesture::None;
    stopFollowing();
    viewport()->unsetCursor();
    if (ended == Gesture::Drag) {
        setHint({}, false);
        Q_EMIT dragEnded(dropped);
    } else if (ended == Gesture::Band) {
        if (!dropped)
            m_overlay.selected = m_kept;
        m_overlay.band.reset();
        setSelection(m_overlay.selected);
    }
}

/// Place of the block of `ready` under a point; −1: none.
int TimelineView::readyAt(QPointF point) const
{
    const LaneGeometry geometry = laneGeometry();
    for (std::size_t i = 0; i < m_overlay.ready.size(); ++i)
        if (readyBox(geometry, m_overlay, i).contains(point))
            return static_cast<int>(i);
    return -1;
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const SpanRef span = spanAt(event->position()); span.valid())
        Q_EMIT activated(span);
    else if (const int place = readyAt(event->position()); place >= 0)
        Q_EMIT readyActivated(place);
    else
        m_range.fit();
}

void TimelineView::leaveEvent(QEvent* event)
{
    if (m_gesture == Gesture::None && !holdsPointer())
        leaveHover();
    QAbstractScrollArea::leaveEvent(event);
}

void TimelineView::leaveHover()
{
    Q_EMIT hovered({}, -1, 0);
}

double TimelineView::snapped(double time, int lane) const
{
    constexpr double reach = 6;
    if (lane < 0)
        return time;
    const Lane& spans = m_lanes->lanes()[static_cast<std::size_t>(lane)];
    const auto at = static_cast<std::int64_t>(spans.firstEndingAfter(static_cast<Ticks>(time)));
    double best = time;
    double least = reach * scale().ticksPerPixel;
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

// Keys

std::optional<TimeStretch> TimelineView::currentTimes() const
{
    const SpanRef span = current();
    if (!m_lanes->holds(span))
        return std::nullopt;
    const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    return TimeStretch{lane.start[index], lane.end[index]};
}

int TimelineView::currentLane() const
{
    return m_lanes->holds(current()) ? current().lane : -1;
}

void TimelineView::stepAlong(int direction)
{
    const SpanRef span = current();
    if (!m_lanes->holds(span)) {
        for (std::size_t lane = 0; lane < m_lanes->lanes().size(); ++lane) {
            if (m_lanes->lanes()[lane].size() > 0) {
                select({static_cast<std::int32_t>(lane), 0});
                return;
            }
        }
        return;
    }
    const SpanRef next{span.lane, span.index + direction};
    if (m_lanes->holds(next))
        select(next);
}

void TimelineView::stepAcross(int direction)
{
    const std::optional<TimeStretch> times = currentTimes();
    const int lane = times ? laneBeside(current().lane, direction) : -1;
    if (lane < 0)
        return;
    const Lane& to = m_lanes->lanes()[static_cast<std::size_t>(lane)];
    if (to.size() == 0)
        return;
    const std::size_t at = to.firstEndingAfter(times->start);
    select({lane, static_cast<std::int64_t>(std::min(at, to.size() - 1))});
}

} // namespace pw::ui
