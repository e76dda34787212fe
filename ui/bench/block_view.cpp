// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_view.h"

#include "core/block/residues.h"
#include "core/model/schedule.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/presentation.h"
#include "ui/timeline/overlay_marks.h"
#include "ui/timeline/wheel_turn.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw::ui {

namespace {

InTheWay pushedBy(Qt::KeyboardModifiers modifiers)
{
    return modifiers.testFlag(Qt::ShiftModifier) ? InTheWay::Push : InTheWay::Refuse;
}

/// What keys move stays in sight, right of the titles.
void follow(const QAbstractScrollArea& area, const QRectF& box, double left)
{
    const double beyond =
        std::max(0.0, box.right() - area.viewport()->width()) + std::min(0.0, box.left() - left);
    QScrollBar* along = area.horizontalScrollBar();
    along->setValue(along->value() + static_cast<int>(std::lround(beyond)));
}

} // namespace

BlockView::BlockView(BenchModel& model, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_model(model)
    , m_drag(model)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setAccessibleName(tr("Building block"));
    setAccessibleDescription(
        tr("A row a device. Up, Down, comma and full stop choose a pass, Left and Right move it, "
           "with Shift together with what is in the way."));
    viewport()->setMouseTracking(true);
    connect(&m_model, &BenchModel::changed, this, &BlockView::showModel);
    showModel();
}

void BlockView::showModel()
{
    m_looks = BlockLooks(m_model.block());
    const bool fewer = m_selection.dropMissing(m_model.block());
    layoutRows();
    viewport()->update();
    if (fewer)
        Q_EMIT selectionChanged();
}

void BlockView::layoutRows()
{
    // The picture stays where it is while something is dragged over it.
    m_layout.layOut(m_model.block(), viewport()->size(), font(), m_drag.holds());
    const int across = viewport()->width() - static_cast<int>(std::ceil(m_layout.titleWidth()));
    horizontalScrollBar()->setPageStep(std::max(1, across));
    horizontalScrollBar()->setSingleStep(std::max(1, static_cast<int>(m_layout.pixelsPerTick())));
    horizontalScrollBar()->setRange(0, std::max(0, m_layout.whole().width() + 4 - across));
    const int room = static_cast<int>(viewport()->height() - rulerHeight());
    verticalScrollBar()->setPageStep(std::max(1, room));
    verticalScrollBar()->setSingleStep(static_cast<int>(m_layout.rowHeight() / 2));
    verticalScrollBar()->setRange(0, std::max(0, m_layout.whole().height() - room));
    Q_EMIT laidOut();
}

QSize BlockView::sizeHint() const
{
    return {560, minimumSizeHint().height() + 60};
}

QSize BlockView::minimumSizeHint() const
{
    const int rows = std::min(4, m_model.block().devices);
    return {static_cast<int>(m_layout.titleWidth()) + 160,
            static_cast<int>(rulerHeight() + rows * m_layout.leastPitch()) + 16};
}

QString BlockView::tell(const BlockPass& placed) const
{
    const BuildingBlock& block = m_model.block();
    return tr("%1, device %2: %3 to %4, at %5 of the interval")
        .arg(passText(placed.pass, specOf(block)))
        .arg(block.device(placed.pass))
        .arg(placed.start)
        .arg(placed.end())
        .arg(residue(placed.start, block.interval));
}

void BlockView::report(const Result<void>& done, const QString& sentence)
{
    if (!done)
        refuse(coreSentence(done.error().message));
    else
        Q_EMIT told(sentence, false);
}

// What is chosen

void BlockView::select(std::vector<Pass> passes)
{
    if (!m_selection.set(std::move(passes)))
        return;
    if (const BlockPass* placed = m_selection.current(m_model.block());
        placed != nullptr && !isHolding()) {
        reveal(geometry().boxOf(*placed));
        Q_EMIT told(tell(*placed), false);
    }
    viewport()->update();
    Q_EMIT selectionChanged();
}

/// Scrolls as little as needed to show a pass.
void BlockView::reveal(const QRectF& box)
{
    QScrollBar* across = horizontalScrollBar();
    if (const double left = m_layout.titleWidth(); box.left() < left)
        across->setValue(across->value() - static_cast<int>(left - box.left()) - 8);
    else if (box.right() > viewport()->width())
        across->setValue(across->value() + static_cast<int>(box.right()) - viewport()->width() + 8);
    QScrollBar* down = verticalScrollBar();
    const double bottom = box.top() + m_layout.rowHeight();
    if (box.top() < rulerHeight())
        down->setValue(down->value() - static_cast<int>(rulerHeight() - box.top()));
    else if (bottom > viewport()->height())
        down->setValue(down->value() + static_cast<int>(bottom - viewport()->height()));
}

void BlockView::walk(int along, int across)
{
    const BlockPass* best = passBeside(m_model.block(), m_selection.current(m_model.block()),
                                       m_layout.first(), along, across);
    if (best != nullptr)
        select({best->pass});
}

// What changes the block

void BlockView::addAt(DeviceId device, Ticks time)
{
    const BuildingBlock& block = m_model.block();
    for (const Pass& pass : missingPasses(block)) {
        if (block.device(pass) != device)
            continue;
        const Ticks duration = pass.kind == PassKind::BW ? 2 * m_model.grid() : m_model.grid();
        if (const Result<void> added = m_model.add({pass, time, duration}); !added)
            refuse(coreSentence(added.error().message));
        else
            select({pass});
        return;
    }
    refuse(tr("Device %1 has all its passes.").arg(device));
}

void BlockView::nudge(Ticks by, InTheWay others)
{
    if (m_selection.empty())
        return refuse(tr("Choose a pass first: Up, Down, comma and full stop, or a click."));
    report(m_model.move(selection(), by, others, true));
    follow(*this, geometry().rectangleOf(selection().front()), m_layout.titleWidth());
}

// Mouse and keys

void BlockView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || isHolding())
        return;
    m_pressPoint = m_pointer = event->position();
    const bool add = event->modifiers().testFlag(Qt::ControlModifier);
    if (intervalHandle().contains(m_pressPoint)) {
        m_drag.beginInterval();
    } else if (const BlockPass* placed = geometry().passAt(m_pressPoint); placed != nullptr) {
        select(m_selection.pressed(placed->pass, add));
        m_hold = m_selection.empty() ? Hold::None : Hold::Press;
    } else {
        if (!add)
            select({});
        m_hold = Hold::Band;
    }
}

void BlockView::mouseMoveEvent(QMouseEvent* event)
{
    m_pointer = event->position();
    if (m_hold == Hold::Press &&
        std::abs(m_pointer.x() - m_pressPoint.x()) >= QApplication::startDragDistance()) {
        m_hold = Hold::None;
        m_drag.beginPasses(selection());
    }
    if (m_drag.holds())
        moveDrag(event->modifiers());
    else if (m_hold == Hold::Band)
        viewport()->update();
    else
        hover();
}

/// What is dragged comes to where the pointer is now.
void BlockView::moveDrag(Qt::KeyboardModifiers modifiers)
{
    if (!m_drag.movesPasses()) {
        const auto interval = std::max<Ticks>(1, std::llround(scale().time(m_pointer.x())));
        report(m_drag.tryInterval(interval), tr("Interval %1").arg(interval));
        return;
    }
    const Ticks grid = m_model.grid();
    const double step = m_layout.pixelsPerTick() * static_cast<double>(grid);
    const Ticks by =
        grid * static_cast<Ticks>(std::llround((m_pointer.x() - m_pressPoint.x()) / step));
    report(m_drag.tryPasses(by, pushedBy(modifiers)),
           tr("%1 %2").arg(by < 0 ? tr("Earlier by") : tr("Later by")).arg(std::abs(by)));
    viewport()->update();
}

void BlockView::hover()
{
    const BlockPass* placed = geometry().passAt(m_pointer);
    const bool handle = intervalHandle().contains(m_pointer);
    viewport()->setCursor(handle              ? Qt::SizeHorCursor
                          : placed != nullptr ? Qt::OpenHandCursor
                                              : Qt::ArrowCursor);
    Q_EMIT told(handle ? tr("The block is repeated every %1. Drag to change the interval.")
                             .arg(m_model.block().interval)
                : placed != nullptr ? tell(*placed)
                                    : QString(),
                false);
}

void BlockView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        endGesture(true);
}

void BlockView::endGesture(bool keep)
{
    if (std::exchange(m_hold, Hold::None) == Hold::Band && keep)
        select(m_selection.banded(QRectF(m_pressPoint, m_pointer).normalized(), geometry()));
    if (m_drag.holds()) {
        const QString refusal = keep ? m_drag.refusal() : QString();
        const Result<void> done = m_drag.end(keep, pushedBy(QApplication::keyboardModifiers()));
        // Why a place was refused stays until something else happens.
        refuse(done ? refusal : coreSentence(done.error().message));
        layoutRows();
    }
    viewport()->update();
}

void BlockView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const BlockGeometry geometry = this->geometry();
    const DeviceId device = geometry.deviceAt(event->position().y());
    if (event->button() != Qt::LeftButton || !device.valid() ||
        event->position().x() < m_layout.titleWidth() ||
        geometry.passAt(event->position()) != nullptr)
        return;
    const Ticks time = geometry.timeAt(event->position().x());
    addAt(device, time - residue(time, m_model.grid()));
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
        m_layout.zoom(1 / turn.amount);
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
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    const InTheWay others = pushedBy(event->modifiers());
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
        if (!control)
            break;
        select(passesOf(m_model.block()));
        return;
    case Qt::Key_Escape:
        if (isHolding())
            endGesture(false);
        else
            select({});
        return;
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void BlockView::paintEvent(QPaintEvent*)
{
    const BlockGeometry geometry = this->geometry();
    const BlockPainter block({m_model, geometry, m_looks, selection(), hasFocus()});
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(Role::Paper));
    painter.setFont(font());
    painter.save();
    block.paintRows(painter);
    if (m_drag.movesPasses() && !m_drag.refusal().isEmpty())
        block.paintRefused(painter, m_drag.by(), m_drag.refusal(), m_pointer);
    if (m_hold == Hold::Band)
        paintBand(painter, QRectF(m_pressPoint, m_pointer).normalized());
    painter.restore();
    block.paintTitles(painter);
    block.paintRuler(painter);
}

void BlockView::leaveEvent(QEvent* event)
{
    if (!isHolding())
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
