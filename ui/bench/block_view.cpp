// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_view.h"

#include "core/block/residues.h"
#include "core/model/schedule.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw::ui {

namespace {

/// Keys that move what is chosen, as they do on the timeline, or choose everything.
bool isOwnKey(const QKeyEvent& event)
{
    const bool aside = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
    return (aside && event.modifiers().testFlag(Qt::AltModifier)) ||
           event.matches(QKeySequence::SelectAll);
}

} // namespace

BlockView::BlockView(BenchModel& model, ViewRange& range, QWidget* parent)
    : LaneView(range, parent)
    , m_model(model)
    , m_gestures(*this, model)
{
    constexpr double leastUnits = 2;
    range.setShortest(leastUnits);
    setTitlesCanWiden(true);
    setAccessibleName(tr("Building block"));
    setAccessibleDescription(
        tr("A row a device. Arrow keys choose a pass, with Alt Left and Right move it, with Shift, "
           "too, together with what is in the way."));
    connect(&range, &ViewRange::changed, this, [this] {
        viewport()->update();
        Q_EMIT laidOut();
    });
    connect(&m_model, &BenchModel::changed, this, &BlockView::showModel);
    showModel();
}

BlockGeometry BlockView::geometry() const
{
    return {m_model.block(),
            m_layout,
            m_rows,
            scale(),
            {room().right(), room().height()},
            verticalScrollBar()->value()};
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
    m_layout.layOut(m_model.block(), room().size(), font(), m_gestures.drags());
    m_rows.setOutline(m_layout.outline(m_model.block()),
                      static_cast<int>(QFontMetricsF(m_layout.smallFont()).height()) + 4);
    if (!m_gestures.drags())
        showTimes();
    const int rows = static_cast<int>(room().height() - rulerHeight());
    verticalScrollBar()->setPageStep(std::max(1, rows));
    verticalScrollBar()->setSingleStep(static_cast<int>(m_layout.rowHeight() / 2));
    verticalScrollBar()->setRange(0, std::max(0, m_rows.height() - rows));
    Q_EMIT laidOut();
}

/// Of a long block the begin is seen at first, in which passes can be read.
void BlockView::showTimes()
{
    const bool usual =
        m_usual == std::pair(0.0, 0.0) || m_usual == std::pair(m_range.begin(), m_range.end());
    m_range.setWhole(m_layout.first(), m_layout.last());
    if (!usual)
        return;
    if (m_layout.usualEnd() < static_cast<double>(m_layout.last()))
        m_range.show(m_range.farBegin(), m_layout.usualEnd());
    else
        m_range.fit();
    m_usual = {m_range.begin(), m_range.end()};
}

void BlockView::relayout()
{
    layoutRows();
    viewport()->update();
}

QString BlockView::stretchText(double from, double to) const
{
    return tr("%1 to %2").arg(std::llround(from)).arg(std::llround(to));
}

QString BlockView::lengthText(double units) const
{
    return plural(std::llround(units), Noun::Unit);
}

QSize BlockView::sizeHint() const
{
    return {560, minimumSizeHint().height() + 60};
}

QSize BlockView::minimumSizeHint() const
{
    const int rows = std::min(4, m_model.block().devices);
    return {margin() + 160, static_cast<int>(rulerHeight() + rows * m_layout.leastPitch()) + 16};
}

QString BlockView::sentenceOf(const BlockPass& placed) const
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
    if (const BlockPass* placed = current(); placed != nullptr && !m_gestures.holds()) {
        reveal(*placed);
        Q_EMIT told(sentenceOf(*placed), false);
    }
    viewport()->update();
    Q_EMIT selectionChanged();
}

/// Moves and scrolls as little as needed to show a pass.
void BlockView::reveal(const BlockPass& placed)
{
    m_range.reveal(static_cast<double>(placed.start), static_cast<double>(placed.end()));
    const QRectF row = rowOf(m_model.block().device(placed.pass));
    QScrollBar* down = verticalScrollBar();
    if (row.top() < rulerHeight())
        down->setValue(down->value() - static_cast<int>(rulerHeight() - row.top()));
    else if (row.bottom() > room().height())
        down->setValue(down->value() + static_cast<int>(row.bottom() - room().height()));
}

std::optional<TimeStretch> BlockView::currentTimes() const
{
    const BlockPass* placed = current();
    return placed == nullptr ? std::nullopt
                             : std::optional(TimeStretch{placed->start, placed->end()});
}

int BlockView::currentLane() const
{
    const BlockPass* placed = current();
    return placed == nullptr ? -1 : m_model.block().device(placed->pass).value;
}

void BlockView::goTo(std::vector<Pass> passes)
{
    if (!passes.empty())
        select(std::move(passes));
}

void BlockView::goTo(const BlockPass* placed)
{
    if (placed != nullptr)
        goTo(std::vector<Pass>{placed->pass});
}

void BlockView::stepAlong(int direction)
{
    const BlockWalk walk(m_model.block());
    const BlockPass* from = current();
    goTo(from == nullptr ? walk.first(DeviceId(0)) : walk.along(*from, direction));
}

void BlockView::stepAcross(int direction)
{
    const int lane = m_rows.laneBeside(currentLane(), direction);
    if (const BlockPass* from = current(); from != nullptr && lane >= 0)
        goTo(BlockWalk(m_model.block()).across(*from, DeviceId(lane)));
}

/// A pass is shown from near.
void BlockView::open()
{
    if (const BlockPass* placed = current()) {
        const auto begin = static_cast<double>(placed->start);
        const auto end = static_cast<double>(placed->end());
        m_range.show(begin - (end - begin), end + (end - begin));
    }
}

double BlockView::snapped(double time, QPointF at) const
{
    constexpr double reach = 6; // pixels
    const DeviceId device = geometry().deviceAt(at.y());
    return device.valid()
               ? BlockWalk(m_model.block()).snapped(time, device, reach * scale().ticksPerPixel)
               : time;
}

int BlockView::laneAt(QPointF point) const
{
    const DeviceId device = geometry().deviceAt(point.y());
    return device.valid() ? device.value : -1;
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
        return refuse(tr("Choose a pass first: Left and Right, or a click."));
    report(m_model.move(selection(), by, others, true));
    if (const BlockPass* placed = current(); placed != nullptr)
        reveal(*placed); // what keys move stays in sight
}

// Mouse and keys

bool BlockView::giveUp()
{
    if (!m_gestures.holds())
        return false;
    m_gestures.end(false);
    return true;
}

void BlockView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const BlockGeometry geometry = this->geometry();
    const DeviceId device = geometry.deviceAt(event->position().y());
    if (event->button() != Qt::LeftButton || !device.valid() || event->position().x() < margin() ||
        geometry.passAt(event->position()) != nullptr)
        return;
    const Ticks time = geometry.timeAt(event->position().x());
    addAt(device, time - residue(time, m_model.grid()));
}

bool BlockView::event(QEvent* event)
{
    // Commands of the window have these keys for the schedule in front; here they are for the
    // block.
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(static_cast<QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return LaneView::event(event);
}

void BlockView::keyPressEvent(QKeyEvent* event)
{
    if (!isOwnKey(*event)) {
        LaneView::keyPressEvent(event);
        return;
    }
    if (event->matches(QKeySequence::SelectAll)) {
        select(passesOf(m_model.block()));
        return;
    }
    const bool whole = event->modifiers().testFlag(Qt::ControlModifier);
    const Ticks way = whole ? m_model.block().interval : m_model.grid();
    nudge(event->key() == Qt::Key_Left ? -way : way, pushedBy(event->modifiers()));
}

/// On a title its lane is pinned; over the lanes, what is done with passes.
void BlockView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->pos().x() < margin()) {
        LaneView::contextMenuEvent(event);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(actions());
    menu->popup(event->globalPos());
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
    m_gestures.paint(painter, block);
    painter.restore();
    block.paintTitles(painter);
    block.paintRuler(painter);
    const std::optional<TimeStretch> between = stretch();
    MarkPainter(scale(), room(), font())
        .paint(painter, marks(),
               between ? lengthText(static_cast<double>(between->end - between->start))
                       : QString());
}

void BlockView::leaveEvent(QEvent* event)
{
    if (!m_gestures.holds())
        Q_EMIT told({}, false);
    LaneView::leaveEvent(event);
}

void BlockView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        layoutRows();
    viewport()->update();
    LaneView::changeEvent(event);
}

void BlockView::resizeEvent(QResizeEvent* event)
{
    LaneView::resizeEvent(event);
    layoutRows();
}

void BlockView::scrollContentsBy(int, int)
{
    viewport()->update();
    Q_EMIT laidOut();
}

} // namespace pw::ui
