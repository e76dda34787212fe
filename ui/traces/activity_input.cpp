// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/text.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/wheel_turn.h"
#include "ui/traces/activity_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr int dragDistance = 4; ///< pixels before a press is a drag

} // namespace

void ActivityView::mousePressEvent(QMouseEvent* event)
{
    hideCard();
    if (event->button() == Qt::MiddleButton) {
        m_panned = event->position().x();
        return;
    }
    if (event->button() == Qt::LeftButton)
        m_pressed = event->position().toPoint();
    m_dragging = false;
}

void ActivityView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint point = event->position().toPoint();
    m_pointer = point;
    if (m_panned) {
        m_range.pan((*m_panned - event->position().x()) * scale().ticksPerPixel);
        m_panned = event->position().x();
        return;
    }
    if (!m_pressed) {
        hover(point);
        return;
    }
    m_dragging = m_dragging || (m_pressed->x() >= TimeAxis::margin() &&
                                std::abs(point.x() - m_pressed->x()) >= dragDistance);
    if (!m_dragging)
        return;
    const TimeScale now = scale();
    const auto timeAt = [&](int x) {
        return std::clamp(
            static_cast<Ticks>(std::llround(now.time(std::max(x, TimeAxis::margin())))),
            m_range.wholeBegin(), m_range.wholeEnd());
    };
    // The table of the stretch follows when the button is let go.
    const QSignalBlocker quiet(this);
    setStretch(std::pair(std::min(timeAt(m_pressed->x()), timeAt(point.x())),
                         std::max(timeAt(m_pressed->x()), timeAt(point.x()))));
}

void ActivityView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::MiddleButton) {
        m_panned.reset();
        return;
    }
    if (!m_pressed || event->button() != Qt::LeftButton)
        return;
    const QPoint pressed = *m_pressed;
    m_pressed.reset();
    if (m_dragging) {
        m_dragging = false;
        Q_EMIT stretchChanged();
        return;
    }
    const int place = m_rows.rowAt(pressed.y() + verticalScrollBar()->value());
    if (place >= 0) {
        const ActivityRows::Row& row = m_rows.rows()[static_cast<std::size_t>(place)];
        if (row.counter < 0 && (row.lane < 0 || pressed.x() < TimeAxis::margin())) {
            toggle(row.key);
            return;
        }
    }
    choose(sliceAt(pressed));
    if (!m_chosen)
        setStretch(std::nullopt);
}

void ActivityView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const std::optional<ChosenSlice> at = sliceAt(event->position().toPoint())) {
        const auto from = static_cast<double>(at->slice.start),
                   to = static_cast<double>(at->slice.end);
        const double room = (to - from) * 0.1;
        m_range.show(from - room, to + room);
    }
}

/// On the title of a lane: to pin it.
void ActivityView::contextMenuEvent(QContextMenuEvent* event)
{
    const int place = m_rows.rowAt(event->pos().y() + verticalScrollBar()->value());
    if (place < 0)
        return;
    const int lane = m_rows.rows()[static_cast<std::size_t>(place)].lane;
    if (lane < 0)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QAction* pin =
        menu->addAction(m_rows.isPinned(lane) ? tr("Back to its rank") : tr("Pin above all"));
    connect(pin, &QAction::triggered, this, [this, lane] { togglePin(lane); });
    menu->popup(event->globalPos());
}

void ActivityView::wheelEvent(QWheelEvent* event)
{
    // Whatever is in sight, the wheel moves rows: there are hundreds of them.
    const WheelTurn turn = turnOf(*event, true);
    switch (turn.what) {
    case WheelTurn::What::Zoom:
        m_range.zoom(turn.amount, scale().time(event->position().x()));
        break;
    case WheelTurn::What::Pan:
        m_range.pan(turn.amount * m_range.length());
        break;
    case WheelTurn::What::Rows:
        verticalScrollBar()->setValue(
            verticalScrollBar()->value() -
            static_cast<int>(std::lround(2 * turn.amount * verticalScrollBar()->singleStep())));
        break;
    }
    event->accept();
}

/// Where zooming by key happens: at the pointer while it is over the lanes, else in the middle.
double ActivityView::anchor() const
{
    const bool over = viewport()->underMouse() && m_pointer.x() >= TimeAxis::margin();
    return over ? scale().time(m_pointer.x()) : (m_range.begin() + m_range.end()) / 2;
}

void ActivityView::keyPressEvent(QKeyEvent* event)
{
    constexpr double zoom = 0.7, part = 0.15;
    if ((event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != Qt::NoModifier) {
        QAbstractScrollArea::keyPressEvent(event); // keys of commands, also of those that rest
        return;
    }
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        m_range.zoom(zoom, anchor());
        break;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_range.zoom(1 / zoom, anchor());
        break;
    case Qt::Key_A:
    case Qt::Key_Left:
        m_range.pan(-part * m_range.length());
        break;
    case Qt::Key_D:
    case Qt::Key_Right:
        m_range.pan(part * m_range.length());
        break;
    case Qt::Key_F:
        if (m_stretch)
            m_range.show(static_cast<double>(m_stretch->first),
                         static_cast<double>(m_stretch->second));
        else if (m_chosen)
            m_range.show(static_cast<double>(m_chosen->slice.start),
                         static_cast<double>(m_chosen->slice.end));
        else
            m_range.fit();
        break;
    case Qt::Key_P:
        if (m_chosen)
            togglePin(m_chosen->lane);
        break;
    case Qt::Key_0:
    case Qt::Key_Home:
        m_range.fit();
        break;
    case Qt::Key_Escape:
        choose(std::nullopt);
        setStretch(std::nullopt);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      (event->key() == Qt::Key_Up ? -1 : 1) *
                                          verticalScrollBar()->singleStep());
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void ActivityView::leaveEvent(QEvent* event)
{
    hideCard();
    QAbstractScrollArea::leaveEvent(event);
}

bool ActivityView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        hideCard();
    return QAbstractScrollArea::viewportEvent(event);
}

void ActivityView::hideCard()
{
    m_card->hide();
    Q_EMIT told({});
}

void ActivityView::hover(QPoint point)
{
    const int place = m_rows.rowAt(point.y() + verticalScrollBar()->value());
    if (point.x() < TimeAxis::margin() && place >= 0) {
        const ActivityRows::Row& row = m_rows.rows()[static_cast<std::size_t>(place)];
        showCard(row.note.isEmpty() ? row.title : tr("%1\n%2 slices").arg(row.title, row.note),
                 point);
        return;
    }
    const std::optional<ChosenSlice> at = sliceAt(point);
    if (!at) {
        hideCard();
        return;
    }
    const ActivityLane& lane = m_activity->source.lanes()[static_cast<std::size_t>(at->lane)];
    const QString times = tr("%1, %2").arg(
        durationText(static_cast<double>(at->slice.end - at->slice.start)),
        spanText(static_cast<double>(at->slice.start), static_cast<double>(at->slice.end)));
    const QString name =
        fontMetrics().elidedText(nameOf(at->slice), Qt::ElideMiddle, std::max(200, width() / 2));
    showCard(tr("%1\n%2\n%3 · %4").arg(name, times, activityText(at->slice.kind), text(lane.name)),
             point);
    Q_EMIT told(tr("%1: %2").arg(name, times));
}

void ActivityView::showCard(const QString& words, QPoint point)
{
    m_card->setText(words);
    m_card->adjustSize();
    constexpr int away = 14;
    QPoint place = point + QPoint(away, away);
    if (place.x() + m_card->width() > width())
        place.setX(std::max(0, point.x() - away - m_card->width()));
    if (place.y() + m_card->height() > height())
        place.setY(std::max(0, point.y() - away - m_card->height()));
    m_card->move(place);
    m_card->show();
    m_card->raise();
}

} // namespace pw::ui
