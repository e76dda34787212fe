// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_gestures.h"

#include "ui/timeline/lane_view.h"

#include <QApplication>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pw::ui {

void LaneGestures::begin(Hold hold)
{
    m_hold = hold;
    m_before = m_view.marks();
    m_measured = false;
}

bool LaneGestures::pressView(Qt::MouseButton button)
{
    if (button == Qt::MiddleButton) {
        begin(Hold::Pan);
        m_view.viewport()->setCursor(Qt::ClosedHandCursor);
        return true;
    }
    if (button != Qt::LeftButton || !isTitlesEdge(m_view.pressPoint()))
        return false;
    begin(Hold::Titles);
    return true;
}

bool LaneGestures::pressMark()
{
    const std::optional<Mark> mark = markAt(m_view.pressPoint());
    if (!mark)
        return false;
    begin(Hold::Mark);
    m_grabbed = *mark;
    return true;
}

void LaneGestures::measure()
{
    begin(Hold::Measure);
}

bool LaneGestures::isTitlesEdge(QPointF point) const
{
    constexpr double reach = 3;
    return m_view.titlesCanWiden() && std::abs(point.x() - m_view.margin()) <= reach;
}

std::optional<Mark> LaneGestures::markAt(QPointF point) const
{
    return MarkPainter(m_view.scale(), m_view.room(), m_view.font()).at(point, m_view.marks());
}

Qt::CursorShape LaneGestures::cursorAt(QPointF point) const
{
    return isTitlesEdge(point) ? Qt::SplitHCursor
           : markAt(point)     ? Qt::SizeHorCursor
                               : Qt::ArrowCursor;
}

bool LaneGestures::move(QPointF before)
{
    const QPointF pointer = m_view.pointer();
    switch (m_hold) {
    case Hold::None:
        return false;
    case Hold::Titles: {
        // Half of the view stays the lanes'.
        const double most = m_view.width() / 2.0;
        m_view.range().setWiderTitles(
            static_cast<int>(std::min(pointer.x(), most) / TimeAxis::letterScale()) -
            TimeAxis::usualMargin);
        break;
    }
    case Hold::Pan: {
        QScrollBar* rows = m_view.verticalScrollBar();
        m_view.range().pan((before.x() - pointer.x()) * m_view.scale().ticksPerPixel);
        rows->setValue(rows->value() - static_cast<int>(pointer.y() - before.y()));
        break;
    }
    case Hold::Measure:
        m_measured = m_measured || (pointer - m_view.pressPoint()).manhattanLength() >=
                                       QApplication::startDragDistance();
        if (!m_measured)
            break;
        [[fallthrough]];
    case Hold::Mark:
        m_view.followEdge(pointer, Qt::Horizontal);
        moveMark();
        break;
    }
    return true;
}

void LaneGestures::moveMark()
{
    const QPointF pointer = m_view.pointer();
    const double time = m_view.timeAt(std::max<double>(m_view.margin(), pointer.x()));
    const double here = m_view.snapped(time, pointer);
    if (m_hold == Hold::Mark) {
        m_view.setMark(m_grabbed, here);
        return;
    }
    m_view.setMarks({m_view.snapped(m_view.pressTime(), m_view.pressPoint()), here});
}

bool LaneGestures::release(Qt::MouseButton button)
{
    const bool click = m_hold == Hold::Measure && !m_measured && button == Qt::LeftButton;
    end(true);
    return click;
}

bool LaneGestures::giveUp()
{
    if (!holds())
        return false;
    end(false);
    return true;
}

void LaneGestures::end(bool kept)
{
    const bool titles = m_hold == Hold::Titles;
    const bool moved = m_hold == Hold::Mark || (m_hold == Hold::Measure && m_measured);
    m_hold = Hold::None;
    m_view.stopFollowing();
    m_view.viewport()->unsetCursor();
    if (titles)
        m_view.keepTitles();
    if (moved)
        m_view.setMarks(kept ? m_view.marks() : m_before);
}

} // namespace pw::ui
