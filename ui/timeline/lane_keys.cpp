// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_keys.h"

#include "ui/timeline/lane_view.h"

#include <QScrollBar>

#include <algorithm>

namespace pw::ui {

std::vector<KeyHelp> LaneKeys::all()
{
    return {
        {LaneView::tr("W  S"), LaneView::tr("Zoom in and out at the pointer")},
        {LaneView::tr("A  D"), LaneView::tr("Move left and right")},
        {LaneView::tr("F"),
         LaneView::tr("Focus on what is selected, else on the marked time, then on everything")},
        {LaneView::tr("0"), LaneView::tr("Everything")},
        {LaneView::tr("←  →   ,  ."), LaneView::tr("Previous and next on the lane")},
        {LaneView::tr("↑  ↓"),
         LaneView::tr("The same time on the lane above and below; else scroll")},
        {LaneView::tr("[  ]"),
         LaneView::tr("Along the arrows: what it waits for, what waits for it")},
        {LaneView::tr("{  }"), LaneView::tr("The next alternative of the last [ or ]")},
        {LaneView::tr("P"),
         LaneView::tr("Let the lane of what is selected stand above all, or put it back")},
        {LaneView::tr("Enter"), LaneView::tr("Open what is selected")},
        {LaneView::tr("M"), LaneView::tr("Markers at both edges of what is selected")},
        {LaneView::tr("Shift+A  Shift+B"),
         LaneView::tr("Marker A or B at the pointer, else at what is selected")},
        {LaneView::tr("Esc"),
         LaneView::tr("Give up a drag; clear the markers, then the selection")},
        {LaneView::tr("Click, Ctrl+click"), LaneView::tr("Select a pass, add a pass")},
        {LaneView::tr("Drag a pass"), LaneView::tr("Move it in the order")},
        {LaneView::tr("Drag idle time"), LaneView::tr("Measure; snaps to the edges of passes")},
        {LaneView::tr("Drag a marker"), LaneView::tr("Move it")},
        {LaneView::tr("Drag with the middle button"), LaneView::tr("Move the view")},
        {LaneView::tr("Wheel, Ctrl+wheel"),
         LaneView::tr("Zoom at the pointer; the wheel scrolls lanes that do not "
                      "fit")},
        {LaneView::tr("Shift+wheel"), LaneView::tr("Move left and right")},
        {LaneView::tr("Double click idle time"), LaneView::tr("Everything")}};
}

bool LaneKeys::press(int key, bool shift)
{
    return mark(key, shift) || zoom(key) || walk(key);
}

/// Where zooming by key happens: at the pointer while it is over the lanes, else in the middle.
double LaneKeys::anchor() const
{
    const ViewRange& range = m_view.range();
    return m_view.pointerTime().value_or((range.begin() + range.end()) / 2);
}

bool LaneKeys::zoom(int key)
{
    constexpr double closer = 0.8, part = 0.1;
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        m_view.range().zoom(closer, anchor());
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_view.range().zoom(1 / closer, anchor());
        return true;
    case Qt::Key_A:
        m_view.panBy(-part);
        return true;
    case Qt::Key_D:
        m_view.panBy(part);
        return true;
    case Qt::Key_0:
    case Qt::Key_Home:
        m_view.range().fit();
        return true;
    case Qt::Key_F:
        focus();
        return true;
    default:
        return false;
    }
}

/// Once what is focused on is in view, back to everything.
void LaneKeys::focus()
{
    const std::optional<TimeStretch> current = m_view.currentTimes();
    const std::optional<TimeStretch> times = current ? current : m_view.stretch();
    if (!times) {
        m_view.range().fit();
        return;
    }
    const auto begin = static_cast<double>(times->start), end = static_cast<double>(times->end);
    const double around = current ? 4 * std::max(end - begin, 1.0) : 0.05 * (end - begin);
    const double shownBegin = m_view.range().begin(), shownEnd = m_view.range().end();
    m_view.range().show(begin - around, end + around);
    if (m_view.range().begin() == shownBegin && m_view.range().end() == shownEnd)
        m_view.range().fit();
}

bool LaneKeys::walk(int key)
{
    const bool down = key == Qt::Key_Down;
    switch (key) {
    case Qt::Key_Period:
    case Qt::Key_Right:
        m_view.stepAlong(1);
        return true;
    case Qt::Key_Comma:
    case Qt::Key_Left:
        m_view.stepAlong(-1);
        return true;
    case Qt::Key_BracketRight:
        m_view.walk(1);
        return true;
    case Qt::Key_BracketLeft:
        m_view.walk(-1);
        return true;
    case Qt::Key_BraceRight:
        m_view.walkAside(1);
        return true;
    case Qt::Key_BraceLeft:
        m_view.walkAside(-1);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (m_view.currentTimes())
            m_view.stepAcross(down ? 1 : -1);
        else
            m_view.verticalScrollBar()->triggerAction(down ? QScrollBar::SliderSingleStepAdd
                                                           : QScrollBar::SliderSingleStepSub);
        return true;
    case Qt::Key_P:
        if (m_view.currentLane() >= 0)
            m_view.togglePin(m_view.currentLane());
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_view.currentTimes())
            m_view.open();
        return true;
    case Qt::Key_Escape:
        m_view.leave();
        return true;
    default:
        return false;
    }
}

bool LaneKeys::mark(int key, bool shift)
{
    if (key == Qt::Key_M) {
        if (const std::optional<TimeStretch> times = m_view.currentTimes())
            m_view.setStretch(times);
        return true;
    }
    if (!shift || (key != Qt::Key_A && key != Qt::Key_B))
        return false;
    m_view.markHere(key == Qt::Key_A ? Mark::A : Mark::B);
    return true;
}

} // namespace pw::ui
