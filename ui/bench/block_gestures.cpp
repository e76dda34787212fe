// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_gestures.h"

#include "ui/bench/block_view.h"
#include "ui/core_sentences.h"
#include "ui/timeline/overlay_marks.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw::ui {

InTheWay pushedBy(Qt::KeyboardModifiers modifiers)
{
    return modifiers.testFlag(Qt::ShiftModifier) ? InTheWay::Push : InTheWay::Refuse;
}

bool BlockGestures::press(Qt::KeyboardModifiers modifiers)
{
    const QPointF point = m_view.pressPoint();
    if (holds() || point.x() < m_view.margin())
        return holds();
    const bool add = modifiers.testFlag(Qt::ControlModifier);
    if (m_view.intervalHandle().contains(point)) {
        m_drag.beginInterval();
    } else if (const BlockPass* placed = m_view.geometry().passAt(point); placed != nullptr) {
        m_hold = Hold::Press;
        m_view.select(m_view.chosen().pressed(placed->pass, add));
        if (m_view.chosen().empty())
            m_hold = Hold::None;
    } else {
        if (!add)
            m_view.select({});
        if (!modifiers.testFlag(Qt::ShiftModifier))
            return false;
        m_hold = Hold::Band;
    }
    return true;
}

void BlockGestures::move(Qt::MouseButtons buttons)
{
    const QPointF pointer = m_view.pointer();
    if (m_hold == Hold::Press &&
        std::abs(pointer.x() - m_view.pressPoint().x()) >= QApplication::startDragDistance()) {
        m_hold = Hold::None;
        m_drag.beginPasses(m_view.selection());
    }
    if (m_drag.holds()) {
        m_view.followEdge(pointer, Qt::Horizontal);
        moveHeld();
    } else if (m_hold == Hold::Band) {
        m_view.viewport()->update();
    } else if (buttons == Qt::NoButton) {
        hover();
    }
}

void BlockGestures::moveHeld()
{
    if (!m_drag.holds())
        return;
    const double time = m_view.timeAt(m_view.pointer().x());
    if (!m_drag.movesPasses()) {
        const auto interval = std::max<Ticks>(1, std::llround(time));
        m_view.report(m_drag.tryInterval(interval), BlockView::tr("Interval %1").arg(interval));
        return;
    }
    const Ticks grid = m_model.grid();
    const double steps = (time - m_view.pressTime()) / static_cast<double>(grid);
    const Ticks by = grid * static_cast<Ticks>(std::llround(steps));
    m_view.report(m_drag.tryPasses(by, pushedBy(QApplication::keyboardModifiers())),
                  BlockView::tr("%1 %2")
                      .arg(by < 0 ? BlockView::tr("Earlier by") : BlockView::tr("Later by"))
                      .arg(std::abs(by)));
    m_view.viewport()->update();
}

void BlockGestures::hover()
{
    const QPointF pointer = m_view.pointer();
    const BlockPass* placed = m_view.geometry().passAt(pointer);
    const bool handle = pointer.x() >= m_view.margin() && m_view.intervalHandle().contains(pointer);
    if (handle || placed != nullptr)
        m_view.viewport()->setCursor(handle ? Qt::SizeHorCursor : Qt::OpenHandCursor);
    m_view.tell(handle
                    ? BlockView::tr("The block is repeated every %1. Drag to change the interval.")
                          .arg(m_model.block().interval)
                : placed != nullptr ? m_view.sentenceOf(*placed)
                                    : QString(),
                false);
}

void BlockGestures::end(bool kept)
{
    m_view.stopFollowing();
    if (std::exchange(m_hold, Hold::None) == Hold::Band && kept) {
        const QRectF band = QRectF(m_view.pressPoint(), m_view.pointer()).normalized();
        m_view.select(m_view.chosen().banded(band, m_view.geometry()));
    }
    if (m_drag.holds()) {
        const QString refusal = kept ? m_drag.refusal() : QString();
        const Result<void> done = m_drag.end(kept, pushedBy(QApplication::keyboardModifiers()));
        // Why a place was refused stays until something else happens.
        m_view.tell(done ? refusal : coreSentence(done.error().message), true);
        m_view.relayout();
    }
    m_view.viewport()->update();
}

void BlockGestures::paint(QPainter& painter, const BlockPainter& block) const
{
    if (m_drag.movesPasses() && !m_drag.refusal().isEmpty())
        block.paintRefused(painter, m_drag.by(), m_drag.refusal(), m_view.pointer());
    if (m_hold == Hold::Band)
        paintBand(painter, QRectF(m_view.pressPoint(), m_view.pointer()).normalized());
}

} // namespace pw::ui
