// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/wheel_turn.h"

#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

// What the mouse does to a timeline, and the markers that mouse and keys set.

namespace pw::ui {

// Mouse

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    m_pointer = m_pressPoint = event->position();
    m_pressTime = timeAt(m_pressPoint.x());
    const bool pan = event->button() == Qt::MiddleButton;
    if (pan) {
        m_gesture = Gesture::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton || pressTitle(m_pressPoint))
        return;
    if (const std::optional<Mark> mark = markAt(m_pressPoint)) {
        m_grabbed = *mark;
        m_gesture = Gesture::Mark;
        return;
    }
    m_pressModifiers = event->modifiers();
    const bool add = (m_pressModifiers & Qt::ControlModifier) != 0;
    if (const SpanRef span = spanAt(m_pressPoint); span.valid()) {
        pressSpan(span);
    } else if (m_pressPoint.x() >= margin() && (m_pressModifiers & Qt::ShiftModifier) != 0) {
        m_kept = add ? m_overlay.selected : std::vector<SpanRef>{};
        m_gesture = Gesture::Band;
    } else if (m_pressPoint.x() >= margin()) {
        if (!add)
            select({});
        m_gesture = Gesture::Measure;
    }
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
    m_overlay.band = QRectF(m_pressPoint, m_pointer).normalized();
    m_overlay.selected = m_kept;
    for (const SpanRef span : spansIn(*m_overlay.band))
        if (std::find(m_kept.begin(), m_kept.end(), span) == m_kept.end())
            m_overlay.selected.push_back(span);
    viewport()->update();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF before = m_pointer;
    m_pointer = event->position();
    const double distance = (m_pointer - m_pressPoint).manhattanLength();
    switch (m_gesture) {
    case Gesture::None:
        viewport()->setCursor(markAt(m_pointer) ? Qt::SizeHorCursor : Qt::ArrowCursor);
        Q_EMIT hovered(spanAt(m_pointer), m_pointer.x() < margin() ? -1 : laneAt(m_pointer),
                       timeAt(m_pointer.x()));
        break;
    case Gesture::Press:
        if (distance < QApplication::startDragDistance())
            break;
        m_gesture = Gesture::Drag;
        viewport()->setCursor(Qt::ClosedHandCursor);
        Q_EMIT dragBegun(m_pressed);
        [[fallthrough]];
    case Gesture::Drag:
    case Gesture::Mark:
        m_edge->follow(m_pointer, room(), Qt::Horizontal);
        moveGesture();
        break;
    case Gesture::Pan:
        m_range.pan((before.x() - m_pointer.x()) * scale().ticksPerPixel);
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(m_pointer.y() - before.y()));
        break;
    case Gesture::Measure:
        if (distance < QApplication::startDragDistance())
            break;
        m_overlay.markA = snapped(m_pressTime, laneAt(m_pressPoint));
        setMark(Mark::B, snapped(timeAt(m_pointer.x()), laneAt(m_pointer)));
        break;
    case Gesture::Band:
        moveBand();
        break;
    }
}

/// What is dragged comes to where the pointer is now.
void TimelineView::moveGesture()
{
    if (m_gesture == Gesture::Drag)
        Q_EMIT dragMoved(timeAt(m_pointer.x()) - m_pressTime, laneAt(m_pointer));
    else if (m_gesture == Gesture::Mark)
        setMark(m_grabbed, snapped(timeAt(m_pointer.x()), laneAt(m_pointer)));
}

void TimelineView::setDraggedAt(std::optional<QPointF> point)
{
    if (point && point->x() >= margin())
        m_edge->follow(*point, room(), Qt::Horizontal | Qt::Vertical);
    else
        m_edge->stop();
}

void TimelineView::moveUnderDrag(double x, double y)
{
    const double before = m_range.begin();
    const int row = verticalScrollBar()->value();
    panBy(x);
    const double rows = y * viewport()->height();
    verticalScrollBar()->setValue(row +
                                  static_cast<int>(rows < 0 ? std::floor(rows) : std::ceil(rows)));
    if (m_range.begin() == before && verticalScrollBar()->value() == row)
        return;
    moveGesture();
    Q_EMIT movedUnderDrag();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool click = m_gesture == Gesture::Press && event->button() == Qt::LeftButton;
    endGesture(true);
    if (click)
        clickSpan(m_pressed);
}

void TimelineView::endGesture(bool dropped)
{
    const Gesture ended = m_gesture;
    m_gesture = Gesture::None;
    m_edge->stop();
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

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const WheelTurn turn = turnOf(*event, verticalScrollBar()->maximum() > 0);
    switch (turn.what) {
    case WheelTurn::What::Pan:
        panBy(turn.amount);
        break;
    case WheelTurn::What::Zoom:
        m_range.zoom(turn.amount, timeAt(std::max<double>(margin(), event->position().x())));
        break;
    case WheelTurn::What::Rows:
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
}

/// By a part of what is shown, in whole pixels: then what is painted moves as it is.
void TimelineView::panBy(double part)
{
    const double pixels = part * room().width();
    m_range.pan((pixels < 0 ? std::floor(pixels) : std::ceil(pixels)) * scale().ticksPerPixel);
}

void TimelineView::leaveEvent(QEvent* event)
{
    if (m_gesture == Gesture::None)
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

// Markers

void TimelineView::setMark(Mark mark, std::optional<double> time)
{
    (mark == Mark::A ? m_overlay.markA : m_overlay.markB) = time;
    viewport()->update();
    Q_EMIT marksChanged();
}

void TimelineView::clearMarks()
{
    m_overlay.markA.reset();
    setMark(Mark::B, std::nullopt);
}

std::optional<TimeStretch> TimelineView::stretch() const
{
    if (!m_overlay.markA || !m_overlay.markB)
        return std::nullopt;
    const auto [first, last] =
        std::minmax({std::llround(*m_overlay.markA), std::llround(*m_overlay.markB)});
    return TimeStretch(first, last);
}

void TimelineView::setStretch(std::optional<TimeStretch> stretch)
{
    if (!stretch) {
        clearMarks();
        return;
    }
    m_overlay.markA = static_cast<double>(stretch->first);
    setMark(Mark::B, static_cast<double>(stretch->second));
}

std::optional<Mark> TimelineView::markAt(QPointF point) const
{
    constexpr double reach = 3;
    if (point.x() < margin())
        return std::nullopt;
    const LaneGeometry geometry = laneGeometry();
    const OverlayPainter painter(geometry, m_colorBy, font());
    for (const Mark mark : {Mark::B, Mark::A}) {
        const std::optional<double>& time = m_overlay.mark(mark);
        if (time && (std::abs(geometry.scale().x(*time) - point.x()) <= reach ||
                     painter.flagOf(mark, *time).contains(point)))
            return mark;
    }
    return std::nullopt;
}

/// A marker at the pointer while it is over the lanes, else at the edge of the current pass.
void TimelineView::markHere(Mark mark)
{
    const SpanRef span = current();
    if (viewport()->underMouse() && m_pointer.x() >= margin()) {
        setMark(mark, snapped(timeAt(m_pointer.x()), laneAt(m_pointer)));
    } else if (m_lanes->holds(span)) {
        const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
        const auto index = static_cast<std::size_t>(span.index);
        setMark(mark, static_cast<double>(mark == Mark::A ? lane.start[index] : lane.end[index]));
    } else {
        setMark(mark, anchor());
    }
}

} // namespace pw::ui
