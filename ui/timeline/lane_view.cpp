// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_view.h"

#include "ui/timeline/edge_scroll.h"
#include "ui/timeline/lane_keys.h"
#include "ui/timeline/wheel_turn.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pw::ui {

LaneView::LaneView(ViewRange& range, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_range(range)
    , m_edge(new EdgeScroll(this))
    , m_hold(*this)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    connect(this, &LaneView::marksChanged, this, &LaneView::stretchChanged);
    connect(m_edge, &EdgeScroll::moveAsked, this, &LaneView::moveUnder);
}

QRectF LaneView::room() const
{
    return {static_cast<double>(margin()), 0, TimeAxis::length(m_range, *this),
            static_cast<double>(viewport()->height())};
}

void LaneView::panBy(double part)
{
    const double pixels = part * room().width();
    m_range.pan((pixels < 0 ? std::floor(pixels) : std::ceil(pixels)) * scale().ticksPerPixel);
}

// Markers

void LaneView::setMark(Mark mark, std::optional<double> time)
{
    Marks marks = m_marks;
    marks.of(mark) = time;
    setMarks(marks);
}

void LaneView::setMarks(const Marks& marks)
{
    m_marks = marks;
    viewport()->update();
    Q_EMIT marksChanged();
}

std::optional<TimeStretch> LaneView::stretch() const
{
    if (!m_marks.a || !m_marks.b)
        return std::nullopt;
    const auto [first, last] = std::minmax({std::llround(*m_marks.a), std::llround(*m_marks.b)});
    return TimeStretch{first, last};
}

void LaneView::setStretch(std::optional<TimeStretch> stretch)
{
    if (!stretch) {
        if (m_marks.any())
            clearMarks();
        return;
    }
    if (this->stretch() == stretch)
        return;
    setMarks({static_cast<double>(stretch->start), static_cast<double>(stretch->end)});
}

std::optional<double> LaneView::pointerTime() const
{
    const bool over = viewport()->underMouse() && m_pointer.x() >= margin();
    return over ? std::optional(timeAt(m_pointer.x())) : std::nullopt;
}

void LaneView::markHere(Mark mark)
{
    const std::optional<TimeStretch> times = currentTimes();
    if (const std::optional<double> here = pointerTime())
        setMark(mark, snapped(*here, m_pointer));
    else if (times)
        setMark(mark, static_cast<double>(mark == Mark::A ? times->start : times->end));
    else
        setMark(mark, (m_range.begin() + m_range.end()) / 2);
}

// The mouse

void LaneView::mousePressEvent(QMouseEvent* event)
{
    m_pointer = m_pressPoint = event->position();
    m_pressTime = timeAt(m_pressPoint.x());
    if (m_hold.pressView(event->button()) || event->button() != Qt::LeftButton)
        return;
    if (m_pressPoint.x() < margin() && pressTitle(m_pressPoint))
        return;
    if (!m_hold.pressMark() && !pressLanes(*event) && m_pressPoint.x() >= margin())
        m_hold.measure();
}

void LaneView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF before = m_pointer;
    m_pointer = event->position();
    if (m_hold.move(before))
        return;
    viewport()->setCursor(event->buttons() == Qt::NoButton ? m_hold.cursorAt(m_pointer)
                                                           : Qt::ArrowCursor);
    moveLanes(*event);
}

void LaneView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_hold.holds())
        releaseLanes(*event);
    else if (m_hold.release(event->button()))
        clickLanes(m_pressPoint);
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
        m_hold.moveMark();
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

// Keys

void LaneView::keyPressEvent(QKeyEvent* event)
{
    // With Ctrl or Alt they are keys of commands, also of those that cannot be given now.
    const bool plain =
        (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (!plain || !LaneKeys(*this).press(event->key(), shift))
        QAbstractScrollArea::keyPressEvent(event);
}

void LaneView::leave()
{
    if (m_hold.giveUp() || giveUp())
        return;
    if (m_marks.any())
        clearMarks();
    else
        clearSelection();
}

// Rows

void LaneView::togglePin(int lane)
{
    m_rows.togglePin(lane);
    relayout();
}

/// On the title of a lane: to pin it.
void LaneView::contextMenuEvent(QContextMenuEvent* event)
{
    const int lane = event->pos().x() < margin() ? laneAt(event->pos()) : -1;
    if (lane < 0) {
        QAbstractScrollArea::contextMenuEvent(event);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QAction* pin =
        menu->addAction(isPinned(lane) ? tr("Back to its place") : tr("Pin above all"));
    connect(pin, &QAction::triggered, this, [this, lane] { togglePin(lane); });
    menu->popup(event->globalPos());
}

} // namespace pw::ui
