// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/residues.h"
#include "ui/bench/block_view.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/timeline/wheel_turn.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw::ui {

void BlockView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_gesture != Gesture::None)
        return;
    m_pressPoint = m_pointer = event->position();
    m_refusal.clear();
    m_by = 0;
    if (intervalHandle().contains(event->position())) {
        m_gesture = Gesture::Interval;
        m_by = m_model.block().interval;
        return;
    }
    const BlockPass* placed = passAt(event->position());
    if (placed == nullptr) {
        if (!event->modifiers().testFlag(Qt::ControlModifier))
            select({});
        m_gesture = Gesture::Band;
        return;
    }
    const Pass pass = placed->pass;
    const auto known = std::find(m_selection.begin(), m_selection.end(), pass);
    std::vector<Pass> chosen = m_selection;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        if (known != m_selection.end())
            chosen.erase(chosen.begin() + (known - m_selection.begin()));
        else
            chosen.push_back(pass);
    } else if (known == m_selection.end()) {
        chosen = {pass};
    }
    select(std::move(chosen));
    m_gesture = m_selection.empty() ? Gesture::None : Gesture::Press;
}

void BlockView::mouseMoveEvent(QMouseEvent* event)
{
    m_pointer = event->position();
    const double way = m_pointer.x() - m_pressPoint.x();
    const Ticks grid = m_model.grid();
    const Ticks by =
        grid * static_cast<Ticks>(std::llround(way / (m_perTick * static_cast<double>(grid))));
    const bool far = std::abs(way) >= QApplication::startDragDistance();
    if (m_gesture == Gesture::Press && far)
        m_gesture = Gesture::Move;
    if (m_gesture == Gesture::Move) {
        const bool push = event->modifiers().testFlag(Qt::ShiftModifier);
        m_by = by;
        const Result<void> tried =
            m_model.tryMove(m_selection, by, push ? InTheWay::Push : InTheWay::Refuse);
        if (tried) {
            m_refusal.clear();
            Q_EMIT told(
                tr("%1 %2").arg(by < 0 ? tr("Earlier by") : tr("Later by")).arg(std::abs(by)),
                false);
        } else {
            refuse(coreSentence(tried.error().message));
        }
        viewport()->update();
        return;
    }
    if (m_gesture == Gesture::Interval) {
        m_by = std::max<Ticks>(1, std::llround(scale().time(m_pointer.x())));
        if (const Result<void> tried = m_model.tryInterval(m_by); !tried)
            refuse(coreSentence(tried.error().message));
        else
            Q_EMIT told(tr("Interval %1").arg(m_by), false);
        return;
    }
    if (m_gesture == Gesture::Band) {
        viewport()->update();
        return;
    }
    const BlockPass* placed = passAt(m_pointer);
    const bool handle = intervalHandle().contains(m_pointer);
    viewport()->setCursor(handle              ? Qt::SizeHorCursor
                          : placed != nullptr ? Qt::OpenHandCursor
                                              : Qt::ArrowCursor);
    if (handle)
        Q_EMIT told(tr("The block is repeated every %1. Drag to change the interval.")
                        .arg(m_model.block().interval),
                    false);
    else
        Q_EMIT told(placed != nullptr ? tell(*placed) : QString(), false);
}

void BlockView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        endGesture(true);
}

void BlockView::endGesture(bool keep)
{
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    if (gesture == Gesture::Band && keep) {
        const QRectF band = QRectF(m_pressPoint, m_pointer).normalized();
        std::vector<Pass> chosen = m_selection;
        for (const BlockPass& placed : m_model.block().passes) {
            if (band.width() > 2 && band.intersects(boxOf(placed)) &&
                std::find(chosen.begin(), chosen.end(), placed.pass) == chosen.end())
                chosen.push_back(placed.pass);
        }
        select(std::move(chosen));
    }
    if (gesture == Gesture::Move || gesture == Gesture::Interval) {
        const bool push = QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        const QString refusal = keep ? m_refusal : QString();
        const bool refused = !m_refusal.isEmpty();
        m_model.clearTrial();
        Result<void> done;
        if (keep && !refused && gesture == Gesture::Move && m_by != 0)
            done = m_model.move(m_selection, m_by, push ? InTheWay::Push : InTheWay::Refuse, false);
        else if (keep && !refused && gesture == Gesture::Interval)
            done = m_model.setInterval(m_by);
        if (!done)
            refuse(coreSentence(done.error().message));
        else
            Q_EMIT told(refusal, true); // stays until something else happens
        layoutRows();
    }
    m_refusal.clear();
    viewport()->update();
}

void BlockView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const DeviceId device = deviceAt(event->position().y());
    if (event->button() != Qt::LeftButton || !device.valid() ||
        event->position().x() < titleWidth() || passAt(event->position()) != nullptr)
        return;
    const Ticks grid = m_model.grid();
    const Ticks time = timeAt(event->position().x());
    addAt(device, time - residue(time, grid));
}

void BlockView::wheelEvent(QWheelEvent* event)
{
    const WheelTurn turn = turnOf(*event, verticalScrollBar()->maximum() > 0);
    QScrollBar* along = horizontalScrollBar();
    switch (turn.what) {
    case WheelTurn::What::Pan:
        along->setValue(along->value() +
                        static_cast<int>(std::lround(turn.amount * along->pageStep())));
        break;
    case WheelTurn::What::Zoom: {
        const double at = event->position().x();
        const double time = scale().time(at);
        m_zoom = std::clamp(m_zoom / turn.amount, 0.25, 16.0);
        layoutRows();
        along->setValue(along->value() + static_cast<int>(std::lround(scale().x(time) - at)));
        viewport()->update();
        break;
    }
    case WheelTurn::What::Rows:
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
}

void BlockView::keyPressEvent(QKeyEvent* event)
{
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    const InTheWay others = shift ? InTheWay::Push : InTheWay::Refuse;
    const Ticks way = control ? m_model.block().interval : m_model.grid();
    switch (event->key()) {
    case Qt::Key_Left:
        nudge(-way, others);
        return;
    case Qt::Key_Right:
        nudge(way, others);
        return;
    case Qt::Key_Up:
        walk(0, -1);
        return;
    case Qt::Key_Down:
        walk(0, 1);
        return;
    case Qt::Key_Comma:
        walk(-1, 0);
        return;
    case Qt::Key_Period:
        walk(1, 0);
        return;
    case Qt::Key_A:
        if (control) {
            std::vector<Pass> all;
            for (const BlockPass& placed : m_model.block().passes)
                all.push_back(placed.pass);
            select(std::move(all));
            return;
        }
        break;
    case Qt::Key_Escape:
        if (m_gesture != Gesture::None)
            endGesture(false);
        else
            select({});
        return;
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void BlockView::leaveEvent(QEvent* event)
{
    if (m_gesture == Gesture::None)
        Q_EMIT told({}, false);
    QAbstractScrollArea::leaveEvent(event);
}

void BlockView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        layoutRows();
    viewport()->update();
    QAbstractScrollArea::changeEvent(event);
}

void BlockView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layoutRows();
}

void BlockView::scrollContentsBy(int, int)
{
    viewport()->update();
    Q_EMIT laidOut();
}

} // namespace pw::ui
