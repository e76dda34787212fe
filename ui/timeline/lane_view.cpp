// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_view.h"

#include "ui/timeline/edge_scroll.h"
#include "ui/timeline/lane_keys.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace pw::ui {

LaneView::LaneView(ViewRange& range, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_range(range)
    , m_edge(new EdgeScroll(this))
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
    m_marks.of(mark) = time;
    viewport()->update();
    Q_EMIT marksChanged();
}

void LaneView::clearMarks()
{
    m_marks.a.reset();
    setMark(Mark::B, std::nullopt);
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
    m_marks.a = static_cast<double>(stretch->start);
    setMark(Mark::B, static_cast<double>(stretch->end));
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
    if (m_hold != Hold::None)
        endHold(false);
    else if (giveUp())
        return;
    else if (m_marks.any())
        clearMarks();
    else
        clearSelection();
}

// Rows

bool LaneView::isTitlesEdge(QPointF point) const
{
    constexpr double reach = 3;
    return m_titlesCanWiden && std::abs(point.x() - margin()) <= reach;
}

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
