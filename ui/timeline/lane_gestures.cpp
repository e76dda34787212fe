// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/edge_scroll.h"
#include "ui/timeline/lane_view.h"
#include "ui/timeline/wheel_turn.h"

#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

// What the mouse does to every timeline: it moves the view, measures time, moves markers. What else
// a press begins is the business of the lanes.

namespace pw::ui {

void LaneView::mousePressEvent(QMouseEvent* event)
{
    m_pointer = m_pressPoint = event->position();
    m_pressTime = timeAt(m_pressPoint.x());
    m_marksBefore = m_marks;
    m_measured = false;
    if (event->button() == Qt::MiddleButton) {
        m_hold = Hold::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton ||
        (m_pressPoint.x() < margin() && pressTitle(m_pressPoint)))
        return;
    if (const std::optional<Mark> mark = markAt(m_pressPoint)) {
        m_grabbed = *mark;
        m_hold = Hold::Mark;
        return;
    }
    if (!pressLanes(*event) && m_pressPoint.x() >= margin())
        m_hold = Hold::Measure;
}

void LaneView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF before = m_pointer;
    m_pointer = event->position();
    switch (m_hold) {
    case Hold::None:
        viewport()->setCursor(event->buttons() == Qt::NoButton && markAt(m_pointer)
                                  ? Qt::SizeHorCursor
                                  : Qt::ArrowCursor);
        moveLanes(*event);
        break;
    case Hold::Pan:
        m_range.pan((before.x() - m_pointer.x()) * scale().ticksPerPixel);
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(m_pointer.y() - before.y()));
        break;
    case Hold::Measure:
        m_measured = m_measured || (m_pointer - m_pressPoint).manhattanLength() >=
                                       QApplication::startDragDistance();
        if (!m_measured)
            break;
        [[fallthrough]];
    case Hold::Mark:
        followEdge(m_pointer, Qt::Horizontal);
        moveHold();
        break;
    }
}

void LaneView::moveHold()
{
    const double here = snapped(timeAt(std::max<double>(margin(), m_pointer.x())), m_pointer);
    if (m_hold == Hold::Mark) {
        setMark(m_grabbed, here);
        return;
    }
    m_marks.a = snapped(m_pressTime, m_pressPoint);
    setMark(Mark::B, here);
}

void LaneView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_hold == Hold::None) {
        releaseLanes(*event);
        return;
    }
    const bool click = m_hold == Hold::Measure && !m_measured && event->button() == Qt::LeftButton;
    endHold(true);
    if (click)
        clickLanes(m_pressPoint);
}

void LaneView::endHold(bool kept)
{
    const bool moved = m_hold == Hold::Mark || (m_hold == Hold::Measure && m_measured);
    m_hold = Hold::None;
    m_edge->stop();
    viewport()->unsetCursor();
    if (!moved)
        return;
    if (!kept)
        m_marks = m_marksBefore;
    viewport()->update();
    Q_EMIT marksChanged();
}

void LaneView::followEdge(QPointF point, Qt::Orientations directions)
{
    m_edge->follow(point, room(), directions);
}

void LaneView::stopFollowing()
{
    m_edge->stop();
}

void LaneView::moveUnder(double x, double y)
{
    const double before = m_range.begin();
    const int row = verticalScrollBar()->value();
    panBy(x);
    const double rows = y * viewport()->height();
    verticalScrollBar()->setValue(row +
                                  static_cast<int>(rows < 0 ? std::floor(rows) : std::ceil(rows)));
    if (m_range.begin() == before && verticalScrollBar()->value() == row)
        return;
    if (isMeasuring())
        moveHold();
    else
        moveHeld();
    Q_EMIT movedUnderDrag();
}

void LaneView::wheelEvent(QWheelEvent* event)
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

} // namespace pw::ui
