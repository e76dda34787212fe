// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/timeline_view.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

// What the keys do to a timeline.

namespace pw::ui {

std::vector<KeyHelp> TimelineView::keys()
{
    return {{tr("W  S"), tr("Zoom in and out at the pointer")},
            {tr("A  D"), tr("Move left and right")},
            {tr("F"), tr("Focus on the selected pass, then on everything")},
            {tr("0"), tr("Everything")},
            {tr("←  →   ,  ."), tr("Previous and next pass on the device")},
            {tr("↑  ↓"), tr("The same time on the device above and below")},
            {tr("[  ]"), tr("Along the arrows: what the pass waits for, what waits for it")},
            {tr("{  }"), tr("Another of those that the last walk could have come to")},
            {tr("P"), tr("Let the lane of the selected pass stand above all, or put it back")},
            {tr("Enter"), tr("Open what is selected")},
            {tr("M"), tr("Markers at both edges of the selected pass")},
            {tr("Shift+A  Shift+B"), tr("Marker A or B at the pointer, else at the selected pass")},
            {tr("Esc"), tr("Give up a drag; clear the markers, then the selection")},
            {tr("Click, Ctrl+click"), tr("Select a pass, add a pass")},
            {tr("Drag a pass"), tr("Move it in the order")},
            {tr("Drag idle time"), tr("Measure; snaps to the edges of passes")},
            {tr("Drag with the middle button"), tr("Move the view")},
            {tr("Wheel, Ctrl+wheel"), tr("Zoom at the pointer")},
            {tr("Shift+wheel"), tr("Move left and right")},
            {tr("Double click idle time"), tr("Everything")}};
}

/// Where zooming by key happens: at the pointer while it is over the lanes, else in the middle.
double TimelineView::anchor() const
{
    const bool over = viewport()->underMouse() && m_pointer.x() >= margin();
    return over ? timeAt(m_pointer.x()) : (m_range.begin() + m_range.end()) / 2;
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool plain =
        (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (plain && (markKey(event->key(), shift) || zoomKey(event->key()) || walkKey(event->key())))
        return;
    QAbstractScrollArea::keyPressEvent(event);
}

bool TimelineView::zoomKey(int key)
{
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        m_range.zoom(0.8, anchor());
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_range.zoom(1.25, anchor());
        return true;
    case Qt::Key_A:
        panBy(-0.1);
        return true;
    case Qt::Key_D:
        panBy(0.1);
        return true;
    case Qt::Key_0:
    case Qt::Key_Home:
        m_range.fit();
        return true;
    case Qt::Key_F: {
        // Focus on the current pass; once it fills the view, back to everything.
        const SpanRef span = current();
        if (!m_lanes->holds(span)) {
            m_range.fit();
            return true;
        }
        const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
        const auto begin = static_cast<double>(lane.start[static_cast<std::size_t>(span.index)]);
        const auto end = static_cast<double>(lane.end[static_cast<std::size_t>(span.index)]);
        const double around = 4 * std::max(end - begin, 1.0);
        if (m_range.length() < 1.01 * (end - begin + 2 * around))
            m_range.fit();
        else
            m_range.show(begin - around, end + around);
        return true;
    }
    default:
        return false;
    }
}

bool TimelineView::walkKey(int key)
{
    switch (key) {
    case Qt::Key_Period:
    case Qt::Key_Right:
        step(1);
        return true;
    case Qt::Key_Comma:
    case Qt::Key_Left:
        step(-1);
        return true;
    case Qt::Key_BracketRight:
        Q_EMIT walkAsked(1);
        return true;
    case Qt::Key_BracketLeft:
        Q_EMIT walkAsked(-1);
        return true;
    case Qt::Key_BraceRight:
        Q_EMIT siblingAsked(1);
        return true;
    case Qt::Key_BraceLeft:
        Q_EMIT siblingAsked(-1);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const SpanRef span = current();
        if (!m_lanes->holds(span))
            return true;
        const int lane = laneBeside(span.lane, key == Qt::Key_Down ? 1 : -1);
        if (lane < 0)
            return true;
        const Lane& from = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
        const Lane& to = m_lanes->lanes()[static_cast<std::size_t>(lane)];
        if (to.size() == 0)
            return true;
        const std::size_t at =
            to.firstEndingAfter(from.start[static_cast<std::size_t>(span.index)]);
        select({lane, static_cast<std::int64_t>(std::min(at, to.size() - 1))});
        return true;
    }
    case Qt::Key_P:
        if (m_lanes->holds(current()))
            togglePin(current().lane);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_lanes->holds(current()))
            Q_EMIT activated(current());
        return true;
    case Qt::Key_Escape:
        if (m_gesture != Gesture::None) {
            endGesture(false);
        } else if (m_overlay.markA || m_overlay.markB) {
            clearMarks();
        } else {
            select({});
        }
        return true;
    default:
        return false;
    }
}

bool TimelineView::markKey(int key, bool shift)
{
    if (key == Qt::Key_M) {
        const SpanRef span = current();
        if (!m_lanes->holds(span))
            return true;
        const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
        const auto index = static_cast<std::size_t>(span.index);
        m_overlay.markA = static_cast<double>(lane.start[index]);
        setMark(Mark::B, static_cast<double>(lane.end[index]));
        return true;
    }
    if (!shift || (key != Qt::Key_A && key != Qt::Key_B))
        return false;
    markHere(key == Qt::Key_A ? Mark::A : Mark::B);
    return true;
}

void TimelineView::step(int direction)
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

} // namespace pw::ui
