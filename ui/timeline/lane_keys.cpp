// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_view.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>

// What the keys do to every timeline.

namespace pw::ui {

std::vector<KeyHelp> LaneView::keys()
{
    return {{tr("W  S"), tr("Zoom in and out at the pointer")},
            {tr("A  D"), tr("Move left and right")},
            {tr("F"), tr("Focus on what is selected, else on the marked time, then on everything")},
            {tr("0"), tr("Everything")},
            {tr("←  →   ,  ."), tr("Previous and next on the lane")},
            {tr("↑  ↓"), tr("The same time on the lane above and below; else scroll")},
            {tr("[  ]"), tr("Along the arrows: what it waits for, what waits for it")},
            {tr("{  }"), tr("The next alternative of the last [ or ]")},
            {tr("P"), tr("Let the lane of what is selected stand above all, or put it back")},
            {tr("Enter"), tr("Open what is selected")},
            {tr("M"), tr("Markers at both edges of what is selected")},
            {tr("Shift+A  Shift+B"), tr("Marker A or B at the pointer, else at what is selected")},
            {tr("Esc"), tr("Give up a drag; clear the markers, then the selection")},
            {tr("Click, Ctrl+click"), tr("Select a pass, add a pass")},
            {tr("Drag a pass"), tr("Move it in the order")},
            {tr("Drag idle time"), tr("Measure; snaps to the edges of passes")},
            {tr("Drag a marker"), tr("Move it")},
            {tr("Drag with the middle button"), tr("Move the view")},
            {tr("Wheel, Ctrl+wheel"), tr("Zoom at the pointer; the wheel scrolls lanes that do not "
                                         "fit")},
            {tr("Shift+wheel"), tr("Move left and right")},
            {tr("Double click idle time"), tr("Everything")}};
}

/// Where zooming by key happens: at the pointer while it is over the lanes, else in the middle.
double LaneView::anchor() const
{
    const bool over = viewport()->underMouse() && m_pointer.x() >= margin();
    return over ? timeAt(m_pointer.x()) : (m_range.begin() + m_range.end()) / 2;
}

void LaneView::keyPressEvent(QKeyEvent* event)
{
    // With Ctrl or Alt they are keys of commands, also of those that cannot be given now.
    const bool plain =
        (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (plain && (markKey(event->key(), shift) || zoomKey(event->key()) || walkKey(event->key())))
        return;
    QAbstractScrollArea::keyPressEvent(event);
}

bool LaneView::zoomKey(int key)
{
    constexpr double zoom = 0.8, part = 0.1;
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        m_range.zoom(zoom, anchor());
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_range.zoom(1 / zoom, anchor());
        return true;
    case Qt::Key_A:
        panBy(-part);
        return true;
    case Qt::Key_D:
        panBy(part);
        return true;
    case Qt::Key_0:
    case Qt::Key_Home:
        m_range.fit();
        return true;
    case Qt::Key_F:
        focus();
        return true;
    default:
        return false;
    }
}

/// Once what is focused on is in view, back to everything.
void LaneView::focus()
{
    const std::optional<TimeStretch> current = currentTimes();
    const std::optional<TimeStretch> times = current ? current : stretch();
    if (!times) {
        m_range.fit();
        return;
    }
    const auto begin = static_cast<double>(times->first), end = static_cast<double>(times->second);
    const double around = current ? 4 * std::max(end - begin, 1.0) : 0.05 * (end - begin);
    const double shownBegin = m_range.begin(), shownEnd = m_range.end();
    m_range.show(begin - around, end + around);
    if (m_range.begin() == shownBegin && m_range.end() == shownEnd)
        m_range.fit();
}

bool LaneView::walkKey(int key)
{
    const bool down = key == Qt::Key_Down;
    switch (key) {
    case Qt::Key_Period:
    case Qt::Key_Right:
        stepAlong(1);
        return true;
    case Qt::Key_Comma:
    case Qt::Key_Left:
        stepAlong(-1);
        return true;
    case Qt::Key_BracketRight:
        walk(1);
        return true;
    case Qt::Key_BracketLeft:
        walk(-1);
        return true;
    case Qt::Key_BraceRight:
        walkAside(1);
        return true;
    case Qt::Key_BraceLeft:
        walkAside(-1);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (currentTimes())
            stepAcross(down ? 1 : -1);
        else
            verticalScrollBar()->triggerAction(down ? QScrollBar::SliderSingleStepAdd
                                                    : QScrollBar::SliderSingleStepSub);
        return true;
    case Qt::Key_P:
        if (currentLane() >= 0)
            togglePin(currentLane());
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (currentTimes())
            open();
        return true;
    case Qt::Key_Escape:
        leave();
        return true;
    default:
        return false;
    }
}

/// Of what is going on, marked and selected the first there is.
void LaneView::leave()
{
    if (m_hold != Hold::None)
        endHold(false);
    else if (giveUp())
        return;
    else if (m_marks.any())
        clearMarks();
    else
        clearSelection();
}

bool LaneView::markKey(int key, bool shift)
{
    if (key == Qt::Key_M) {
        if (const std::optional<TimeStretch> times = currentTimes())
            setStretch(times);
        return true;
    }
    if (!shift || (key != Qt::Key_A && key != Qt::Key_B))
        return false;
    markHere(key == Qt::Key_A ? Mark::A : Mark::B);
    return true;
}

} // namespace pw::ui
