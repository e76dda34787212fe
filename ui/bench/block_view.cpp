// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_view.h"

#include "core/block/residues.h"
#include "core/model/schedule.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"

#include <QFontMetricsF>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double rowGap = 6;    ///< between rows
constexpr double mostPass = 34; ///< height of the passes in a row
constexpr int fewDevices = 8;

} // namespace

BlockView::BlockView(BenchModel& model, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_model(model)
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
    const BuildingBlock& block = m_model.block();
    m_stages = chunksOfDevices(specOf(block));
    const std::size_t before = m_selection.size();
    std::erase_if(m_selection, [&](const Pass& pass) {
        return std::none_of(block.passes.begin(), block.passes.end(),
                            [&](const BlockPass& placed) { return placed.pass == pass; });
    });
    layoutRows();
    viewport()->update();
    if (m_selection.size() != before)
        Q_EMIT selectionChanged();
}

QFont BlockView::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.85);
    return small;
}

double BlockView::titleWidth() const
{
    const QFontMetricsF metrics(font());
    return metrics.horizontalAdvance(tr("stages %1").arg(QStringLiteral("00, 00"))) + 20;
}

double BlockView::leastRow() const
{
    const double line = QFontMetricsF(smallFont()).height();
    return m_model.block().devices <= fewDevices ? 2 * line + 1 : std::max(22.0, 1.5 * line);
}

double BlockView::rulerHeight() const
{
    return std::max(26.0, 1.9 * QFontMetricsF(font()).height());
}

double BlockView::passHeight() const
{
    const double rulers = QFontMetricsF(smallFont()).height() * 2;
    return std::clamp(m_rowHeight - rulers, std::min(leastRow(), m_rowHeight),
                      std::max(mostPass, leastRow()));
}

void BlockView::layoutRows()
{
    const BuildingBlock& block = m_model.block();
    const double room = viewport()->height() - rulerHeight();
    const double lifespanRows = 2 * QFontMetricsF(smallFont()).height();
    m_rowHeight = std::clamp(room / block.devices - rowGap, leastRow(),
                             std::max(mostPass, leastRow()) + lifespanRows);
    // The picture stays where it is while something is dragged over it.
    const double across = viewport()->width() - titleWidth();
    if (m_gesture != Gesture::Move && m_gesture != Gesture::Interval) {
        Ticks first = 0, last = block.interval;
        Ticks shortest = block.interval;
        for (const BlockPass& placed : block.passes) {
            first = std::min(first, placed.start);
            last = std::max(last, placed.end());
            shortest = std::min(shortest, placed.duration);
        }
        // Whole intervals, so that the picture does not jump with every key.
        m_first = intervalOf(first, block.interval) * block.interval;
        m_last = (intervalOf(last - 1, block.interval) + 2) * block.interval;
        if (block.passes.empty())
            m_last = std::max(m_last, 4 * block.interval);
        const double fit = (across - 8) / static_cast<double>(m_last - m_first);
        const double least =
            (QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("00")) + 1) /
            static_cast<double>(shortest);
        m_perTick = m_zoom * std::clamp(fit, std::min(least, 60.0), std::max(least, 44.0));
    }
    const int whole =
        static_cast<int>(std::ceil(static_cast<double>(m_last - m_first) * m_perTick));
    horizontalScrollBar()->setPageStep(std::max(1, static_cast<int>(across)));
    horizontalScrollBar()->setSingleStep(std::max(1, static_cast<int>(m_perTick)));
    horizontalScrollBar()->setRange(0, std::max(0, whole + 4 - static_cast<int>(across)));
    const int high = static_cast<int>(std::ceil(block.devices * (m_rowHeight + rowGap)));
    verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    verticalScrollBar()->setSingleStep(static_cast<int>(m_rowHeight / 2));
    verticalScrollBar()->setRange(0, std::max(0, high - static_cast<int>(room)));
    Q_EMIT laidOut();
}

QSize BlockView::sizeHint() const
{
    return {560, minimumSizeHint().height() + 60};
}

QSize BlockView::minimumSizeHint() const
{
    const int rows = std::min(4, m_model.block().devices);
    return {static_cast<int>(titleWidth()) + 160,
            static_cast<int>(rulerHeight() + rows * (leastRow() + rowGap)) + 16};
}

TimeScale BlockView::scale() const
{
    return {static_cast<double>(m_first), 1 / m_perTick,
            titleWidth() - horizontalScrollBar()->value()};
}

double BlockView::xOf(Ticks time) const
{
    return scale().x(time);
}

Ticks BlockView::timeAt(double x) const
{
    return static_cast<Ticks>(std::floor(scale().time(x)));
}

QRectF BlockView::rowOf(DeviceId device) const
{
    return {titleWidth(),
            rulerHeight() + device * (m_rowHeight + rowGap) - verticalScrollBar()->value(),
            viewport()->width() - titleWidth(), m_rowHeight};
}

DeviceId BlockView::deviceAt(double y) const
{
    const double row =
        std::floor((y - rulerHeight() + verticalScrollBar()->value()) / (m_rowHeight + rowGap));
    const bool there = y >= rulerHeight() && row >= 0 && row < m_model.block().devices;
    return there ? DeviceId(static_cast<int>(row)) : DeviceId::none();
}

QRectF BlockView::boxOf(const BlockPass& placed, Ticks shift) const
{
    return {xOf(placed.start + shift), rowOf(m_model.block().device(placed.pass)).top(),
            static_cast<double>(placed.duration) * m_perTick, passHeight()};
}

QRectF BlockView::rectangleOf(const Pass& pass) const
{
    for (const BlockPass& placed : m_model.block().passes) {
        if (placed.pass == pass)
            return boxOf(placed);
    }
    return {};
}

QRectF BlockView::intervalHandle() const
{
    // At least as wide as a finger is sure of.
    return QRectF(xOf(m_model.block().interval) - 12, 0, 24, rulerHeight());
}

const BlockPass* BlockView::passAt(QPointF point) const
{
    if (point.x() < titleWidth() || point.y() < rulerHeight())
        return nullptr;
    // The one drawn last is on top.
    const std::vector<BlockPass>& passes = m_model.block().passes;
    for (auto placed = passes.rbegin(); placed != passes.rend(); ++placed) {
        if (boxOf(*placed).contains(point))
            return &*placed;
    }
    return nullptr;
}

SpanLook BlockView::lookOf(const Pass& pass) const
{
    SpanLook look;
    look.kind = pass.kind;
    const auto& hosted = m_stages[static_cast<std::size_t>(m_model.block().device(pass))];
    const auto own = std::find(hosted.begin(), hosted.end(), HostedStage{pass.route, pass.stage});
    look.tint =
        tintOf(static_cast<int>(own - hosted.begin()), static_cast<int>(hosted.size())) & fullTint;
    return look;
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

void BlockView::refuse(const QString& sentence)
{
    m_refusal = sentence;
    Q_EMIT told(sentence, true);
}

void BlockView::select(std::vector<Pass> passes)
{
    if (passes == m_selection)
        return;
    m_selection = std::move(passes);
    if (!m_selection.empty() && m_gesture == Gesture::None) {
        const QRectF box = rectangleOf(m_selection.back());
        QScrollBar* across = horizontalScrollBar();
        if (box.left() < titleWidth())
            across->setValue(across->value() - static_cast<int>(titleWidth() - box.left()) - 8);
        else if (box.right() > viewport()->width())
            across->setValue(across->value() + static_cast<int>(box.right()) - viewport()->width() +
                             8);
        QScrollBar* down = verticalScrollBar();
        if (box.top() < rulerHeight())
            down->setValue(down->value() - static_cast<int>(rulerHeight() - box.top()));
        else if (box.top() + m_rowHeight > viewport()->height())
            down->setValue(down->value() +
                           static_cast<int>(box.top() + m_rowHeight - viewport()->height()));
        for (const BlockPass& placed : m_model.block().passes) {
            if (placed.pass == m_selection.back())
                Q_EMIT told(tell(placed), false);
        }
    }
    viewport()->update();
    Q_EMIT selectionChanged();
}

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
    if (m_selection.empty()) {
        refuse(tr("Choose a pass first: Up, Down, comma and full stop, or a click."));
        return;
    }
    if (const Result<void> moved = m_model.move(m_selection, by, others, true); !moved)
        refuse(coreSentence(moved.error().message));
    else
        Q_EMIT told({}, false);
}

void BlockView::walk(int along, int across)
{
    const std::vector<BlockPass>& passes = m_model.block().passes;
    if (passes.empty())
        return;
    const BlockPass* from = nullptr;
    for (const BlockPass& placed : passes) {
        if (!m_selection.empty() && placed.pass == m_selection.back())
            from = &placed;
    }
    const BuildingBlock& block = m_model.block();
    const DeviceId device = from == nullptr ? DeviceId(0) : block.device(from->pass) + across;
    const Ticks at = from == nullptr ? m_first : from->start;
    const BlockPass* best = nullptr;
    const auto distance = [&](const BlockPass& placed) { return std::abs(placed.start - at); };
    for (const BlockPass& placed : passes) {
        if (block.device(placed.pass) != device || &placed == from)
            continue;
        if (from != nullptr && across == 0 && (placed.start > at ? 1 : -1) != along)
            continue;
        if (best == nullptr || distance(placed) < distance(*best))
            best = &placed;
    }
    if (best != nullptr)
        select({best->pass});
}

} // namespace pw::ui
