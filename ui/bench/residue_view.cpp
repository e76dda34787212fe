// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/residue_view.h"

#include "core/base/text.h"
#include "core/block/residues.h"
#include "ui/bench/block_view.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/lane_painter.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double left = 10;
constexpr double widestCell = 28;
constexpr std::size_t mostTerms = 3; ///< of a formula that is written out

/// A part of a micro-batch: "½", "⅓", "2 ⁄ 5"; empty for a whole one.
QString shareText(Share share)
{
    if (share == shareOne)
        return {};
    if (share > 0 && shareOne % share == 0) {
        switch (shareOne / share) {
        case 2:
            return QStringLiteral("½");
        case 3:
            return QStringLiteral("⅓");
        case 4:
            return QStringLiteral("¼");
        case 8:
            return QStringLiteral("⅛");
        default:
            return QStringLiteral("1⁄%1").arg(shareOne / share);
        }
    }
    return text(plainNumber(microBatchesFromShare(share), 3));
}

} // namespace

ResidueView::ResidueView(BenchModel& model, BlockView& rows, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_rows(rows)
{
    setMouseTracking(true);
    setAccessibleName(tr("Folded interval"));
    connect(&m_model, &BenchModel::changed, this, qOverload<>(&QWidget::update));
    connect(&m_rows, &BlockView::laidOut, this, qOverload<>(&QWidget::update));
    connect(&m_model, &BenchModel::changed, this, [this] {
        QStringList lines;
        for (const DeviceId device : Ids<DeviceId>(m_model.block().devices))
            lines += tr("device %1: %2").arg(device).arg(peakText(device));
        setAccessibleDescription(lines.join(QStringLiteral("; ")));
    });
}

QSize ResidueView::minimumSizeHint() const
{
    // Room for the names of two passes that collide, as long as the interval is short.
    const double cells = static_cast<double>(std::min<Ticks>(m_model.block().interval, 6));
    const double cell = QFontMetricsF(font()).horizontalAdvance(QStringLiteral("W0"));
    return {static_cast<int>(peakWidth() + left + 12 + cells * cell), 80};
}

double ResidueView::peakWidth() const
{
    const QFontMetricsF metrics(font());
    return metrics.horizontalAdvance(QStringLiteral("≤ ½·(⌈30⁄6⌉ + ⌈30⁄6⌉) = 0.0")) + 12;
}

double ResidueView::stripWidth() const
{
    const double room = std::max(40.0, width() - peakWidth() - left - 12);
    return std::min(room, widestCell * static_cast<double>(m_model.block().interval));
}

QRectF ResidueView::stripOf(DeviceId device) const
{
    QRectF row = m_rows.rowOf(device);
    row.setLeft(left);
    row.setWidth(stripWidth());
    row.setHeight(m_rows.passHeight());
    return row;
}

QRectF ResidueView::cellOf(DeviceId device, Ticks residue) const
{
    QRectF cell = stripOf(device);
    const double wide = cell.width() / static_cast<double>(m_model.block().interval);
    cell.setLeft(cell.left() + static_cast<double>(residue) * wide);
    cell.setWidth(wide);
    return cell;
}

const Collision* ResidueView::collisionAt(QPointF point) const
{
    const Ticks interval = m_model.block().interval;
    for (const Collision& one : m_model.findings().collisions) {
        const QRectF cell = cellOf(one.device, one.residue);
        // As long as both last.
        const Ticks past = residue(one.residue - one.first.start, interval);
        const Ticks lasts = std::min(one.first.duration - past, one.second.duration);
        const double wide =
            cell.width() * static_cast<double>(std::clamp<Ticks>(lasts, 1, interval));
        const QRectF strip = stripOf(one.device);
        const QRectF box(cell.left(), cell.top(), wide, cell.height());
        const bool wraps = box.right() > strip.right();
        if (box.intersected(strip).contains(point) ||
            (wraps && box.translated(-strip.width(), 0).intersected(strip).contains(point)))
            return &one;
    }
    return nullptr;
}

QString ResidueView::peakText(DeviceId device) const
{
    const std::vector<DeviceLifespans>& all = m_model.findings().lifespans;
    if (all.empty())
        return tr("peak not known yet");
    const DeviceLifespans& kept = all[device.index()];
    const QString peak = tr("peak %1 mb").arg(text(plainNumber(microBatchesFromShare(kept.peak))));
    const Result<TimedBlock>* timed = m_model.timed();
    if (timed == nullptr || !*timed || !(*timed)->sized)
        return peak;
    return peak + QStringLiteral(", ") +
           text(byteText((*timed)->result.devices[device.index()].peakActivation));
}

QString ResidueView::formulaText(DeviceId device) const
{
    const std::vector<DeviceLifespans>& all = m_model.findings().lifespans;
    if (all.empty())
        return {};
    const DeviceLifespans& kept = all[device.index()];
    const Ticks interval = m_model.block().interval;
    const QString bound = text(plainNumber(microBatchesFromShare(kept.bound)));
    // The formula is a bound, and nearly always what comes out.
    const QString relation = QStringLiteral("= ") + bound;
    const QString sign = kept.bound == kept.peak ? QString() : QStringLiteral("≤ ");
    if (kept.cells.empty())
        return {};
    const Share share = kept.cells.front().share;
    const bool alike = std::all_of(kept.cells.begin(), kept.cells.end(),
                                   [&](const Lifespan& cell) { return cell.share == share; });
    if (!alike || kept.cells.size() > mostTerms)
        return sign + tr("Σ ⌈l⁄%1⌉·share %2").arg(interval).arg(relation);
    QStringList terms;
    for (const Lifespan& cell : kept.cells)
        terms += QStringLiteral("⌈%1⁄%2⌉").arg(cell.length()).arg(interval);
    const QString sum = terms.join(QStringLiteral(" + "));
    const QString part = shareText(share);
    if (part.isEmpty())
        return sign + sum + QLatin1Char(' ') + relation;
    return sign + (terms.size() > 1 ? QStringLiteral("%1·(%2) %3") : QStringLiteral("%1·%2 %3"))
                      .arg(part, sum, relation);
}

void ResidueView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(pw::Role::Paper));
    if (m_model.block().devices < 1)
        return;
    const double top = m_rows.rulerHeight();
    painter.setPen(color(pw::Role::Secondary));
    painter.drawText(QRectF(left, 0, width() - left, top - 6), Qt::AlignLeft | Qt::AlignBottom,
                     tr("Folded into the interval of %1").arg(m_model.block().interval));
    painter.setClipRect(QRectF(0, top, width(), height()));
    for (const DeviceId device : Ids<DeviceId>(m_model.block().devices)) {
        const QRectF row = m_rows.rowOf(device);
        if (row.bottom() < 0 || row.top() > height())
            continue;
        paintStrip(painter, device);
        const double x = left + stripWidth() + 12;
        const QRectF words(x, row.top(), width() - x, row.height());
        const QFontMetricsF metrics(font());
        const bool both = row.height() >= 2 * metrics.height();
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        const bool known = !m_model.findings().lifespans.empty();
        painter.setFont(known ? bold : font());
        painter.setPen(color(known ? pw::Role::Text : pw::Role::Secondary));
        painter.drawText(words,
                         static_cast<int>(both ? Qt::AlignTop : Qt::AlignVCenter) | Qt::AlignLeft,
                         peakText(device));
        if (!both)
            continue;
        painter.setFont(font());
        painter.setPen(color(pw::Role::Secondary));
        painter.drawText(words.adjusted(0, metrics.height() + 1, 0, 0),
                         Qt::AlignTop | Qt::AlignLeft,
                         metrics.elidedText(formulaText(device), Qt::ElideRight, words.width()));
    }
}

void ResidueView::paintStrip(QPainter& painter, DeviceId device) const
{
    const BuildingBlock& block = m_model.block();
    const QRectF strip = stripOf(device);
    const Ticks interval = block.interval;
    const double perTick = strip.width() / static_cast<double>(interval);
    painter.save();
    painter.setClipRect(strip.intersected(QRectF(0, m_rows.rulerHeight(), width(), height())));
    painter.fillRect(strip, color(pw::Role::Lane));
    painter.fillRect(strip, hatchBrush());
    const Lanes none;
    LanePainter lanes(none, {}, ColorBy::Kind);
    lanes.setNumber(BlockNumber::Stage);
    QFont bold = font();
    bold.setPointSizeF(font().pointSizeF() * 0.85);
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    for (const BlockPass& placed : block.passes) {
        if (block.device(placed.pass) != device)
            continue;
        const double from =
            strip.left() + static_cast<double>(residue(placed.start, interval)) * perTick;
        QRectF box(from, strip.top(),
                   static_cast<double>(std::min(placed.duration, interval)) * perTick,
                   strip.height());
        // What goes on at the beginning of the interval has its name in both of its parts.
        const bool goesOn = box.right() > strip.right() + 0.5;
        lanes.paintSpan(painter, goesOn ? box.intersected(strip) : box, m_rows.lookOf(placed.pass),
                        placed.pass, {});
        if (goesOn)
            lanes.paintSpan(painter, box.translated(-strip.width(), 0).intersected(strip),
                            m_rows.lookOf(placed.pass), placed.pass, {});
    }
    // Both passes of a collision in one cell, on the colour of refusals.
    const QColor red = color(pw::Role::Refusal);
    for (const Collision& one : m_model.findings().collisions) {
        if (one.device != device)
            continue;
        const Ticks past = residue(one.residue - one.first.start, interval);
        const Ticks lasts = std::clamp<Ticks>(
            std::min(one.first.duration - past, one.second.duration), 1, interval);
        QRectF box = cellOf(device, one.residue);
        box.setWidth(box.width() * static_cast<double>(lasts));
        for (const double shift : {0.0, -strip.width()}) {
            const QRectF part = box.translated(shift, 0).adjusted(0, 0, -1, 0);
            if (!part.intersects(strip))
                continue;
            painter.fillRect(part, red);
            const auto label = [](const Pass& pass) {
                return text(name(pass.kind)) + QLatin1Char(' ') +
                       numberOf(pass, BlockNumber::Stage);
            };
            const bool light = wantsWhiteText({static_cast<std::uint8_t>(red.red()),
                                               static_cast<std::uint8_t>(red.green()),
                                               static_cast<std::uint8_t>(red.blue())});
            painter.setPen(light ? QColor(Qt::white) : QColor(31, 41, 51));
            const QFontMetricsF metrics(painter.font());
            const QString first = label(one.first.pass);
            if (metrics.horizontalAdvance(first) > part.width() ||
                2 * metrics.height() > part.height() + 4)
                continue;
            painter.drawText(part, Qt::AlignHCenter | Qt::AlignTop, first);
            painter.drawText(part, Qt::AlignHCenter | Qt::AlignBottom, label(one.second.pass));
        }
    }
    painter.restore();
}

void ResidueView::mousePressEvent(QMouseEvent* event)
{
    if (const Collision* one = collisionAt(event->position()); one != nullptr)
        Q_EMIT chosen({one->first.pass, one->second.pass});
}

void ResidueView::mouseMoveEvent(QMouseEvent* event)
{
    const Collision* one = collisionAt(event->position());
    if (one != nullptr)
        Q_EMIT told(coreSentence(one->text(m_model.block())), true);
    else
        Q_EMIT told({}, false);
}

void ResidueView::leaveEvent(QEvent* event)
{
    Q_EMIT told({}, false);
    QWidget::leaveEvent(event);
}

bool ResidueView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Collision* one = collisionAt(help->pos());
        for (const DeviceId device : Ids<DeviceId>(one == nullptr ? m_model.block().devices : 0)) {
            const QRectF row = m_rows.rowOf(device);
            if (row.top() <= help->pos().y() && help->pos().y() <= row.bottom()) {
                QToolTip::showText(
                    help->globalPos(),
                    tr("%1 micro-batches, exactly.\nLifespans by formula: %2.\nEach lifespan "
                       "reaches into ⌈length ⁄ interval⌉ intervals: so many are alive at once.")
                        .arg(peakText(device), formulaText(device)),
                    this);
                return true;
            }
        }
        QToolTip::showText(help->globalPos(),
                           one == nullptr ? QString() : coreSentence(one->text(m_model.block())),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace pw::ui
