// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/span_gestures.h"

#include "ui/timeline/timeline_view.h"

#include <QApplication>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

bool isAmong(const std::vector<SpanRef>& spans, SpanRef span)
{
    return std::find(spans.begin(), spans.end(), span) != spans.end();
}

} // namespace

SpanGestures::SpanGestures(TimelineView& view)
    : QObject(&view)
    , m_view(view)
{
}

bool SpanGestures::press(QPointF point, Qt::KeyboardModifiers modifiers)
{
    m_modifiers = modifiers;
    if (const SpanRef span = m_view.spanAt(point); span.valid()) {
        pressSpan(span);
        return true;
    }
    if (point.x() < m_view.margin())
        return false;
    if (extends()) {
        m_kept = adds() ? m_view.selection() : std::vector<SpanRef>{};
        m_gesture = Gesture::Band;
        return true;
    }
    if (!adds())
        m_view.select({});
    return false;
}

/// A press selects what it may drag; what only a click does waits for the release.
void SpanGestures::pressSpan(SpanRef span)
{
    m_addedByPress = !isAmong(m_view.selection(), span) && !extends();
    if (m_addedByPress)
        m_view.select(span, adds());
    m_pressed = span;
    m_gesture = Gesture::Press;
}

void SpanGestures::clickSpan(SpanRef span)
{
    if (extends())
        selectUpTo(span);
    else if (!adds() && m_view.selection().size() > 1)
        m_view.select(span);
    else if (adds() && !m_addedByPress)
        m_view.select(span, true);
}

/// Adds what stands between the current span and this one on their lane.
void SpanGestures::selectUpTo(SpanRef span)
{
    std::vector<SpanRef> spans = m_view.selection();
    const SpanRef from = m_view.current().lane == span.lane ? m_view.current() : span;
    for (std::int64_t i = std::min(from.index, span.index); i <= std::max(from.index, span.index);
         ++i)
        if (const SpanRef one{span.lane, i}; one != span && !isAmong(m_view.selection(), one))
            spans.push_back(one);
    std::erase(spans, span);
    spans.push_back(span);
    m_view.setSelection(std::move(spans));
}

void SpanGestures::move(QPointF point)
{
    switch (m_gesture) {
    case Gesture::None:
        break;
    case Gesture::Press:
        if ((point - m_view.pressPoint()).manhattanLength() < QApplication::startDragDistance())
            break;
        m_gesture = Gesture::Drag;
        Q_EMIT dragBegun(m_pressed);
        [[fallthrough]];
    case Gesture::Drag:
        m_view.viewport()->setCursor(Qt::ClosedHandCursor);
        m_view.followEdge(point, Qt::Horizontal);
        moveHeld();
        break;
    case Gesture::Band:
        moveBand(point);
        break;
    }
}

/// What is dragged comes to where the pointer is now.
void SpanGestures::moveHeld()
{
    if (m_gesture == Gesture::Drag)
        Q_EMIT dragMoved(m_view.timeAt(m_view.pointer().x()) - m_view.pressTime(),
                         m_view.laneAt(m_view.pointer()));
}

void SpanGestures::moveBand(QPointF point)
{
    SelectedLayer shown{m_kept, QRectF(m_view.pressPoint(), point).normalized()};
    for (const SpanRef span : m_view.laneGeometry().spansIn(*shown.band))
        if (!isAmong(m_kept, span))
            shown.selected.push_back(span);
    m_view.setLayer(std::move(shown));
}

void SpanGestures::release(Qt::MouseButton button)
{
    const bool click = m_gesture == Gesture::Press && button == Qt::LeftButton;
    end(true);
    if (click)
        clickSpan(m_pressed);
}

bool SpanGestures::giveUp()
{
    if (!holds())
        return false;
    end(false);
    return true;
}

void SpanGestures::end(bool kept)
{
    const Gesture ended = std::exchange(m_gesture, Gesture::None);
    m_view.stopFollowing();
    m_view.viewport()->unsetCursor();
    if (ended == Gesture::Drag) {
        m_view.setHint({}, false);
        Q_EMIT dragEnded(kept);
    } else if (ended == Gesture::Band) {
        std::vector<SpanRef> selected = kept ? m_view.selection() : m_kept;
        m_view.setLayer(SelectedLayer{});
        m_view.setSelection(std::move(selected));
    }
}

} // namespace pw::ui
