// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_painter.h"

#include "core/base/text.h"
#include "core/block/residues.h"
#include "ui/bench/block_view.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/overlay_marks.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double pale = 0.28;         ///< of a repetition
constexpr std::size_t mostRulers = 4; ///< lifespans of a row that are drawn with their length

} // namespace

BlockLooks::BlockLooks(const BuildingBlock& block)
    : m_stages(chunksOfDevices(specOf(block)))
{
}

SpanLook BlockLooks::of(const Pass& pass, const BuildingBlock& block) const
{
    SpanLook look;
    look.kind = pass.kind;
    const std::vector<HostedStage>& hosted = stagesOf(block.device(pass));
    const auto own = std::find(hosted.begin(), hosted.end(), HostedStage{pass.route, pass.stage});
    look.tint =
        tintOf(static_cast<int>(own - hosted.begin()), static_cast<int>(hosted.size())) & fullTint;
    return look;
}

void BlockPainter::paintRows(QPainter& painter) const
{
    painter.setClipRect(room());
    for (const DeviceId device : Ids<DeviceId>(block().devices)) {
        const QRectF row = m_geometry.rowOf(device);
        if (row.bottom() < 0 || row.top() > m_geometry.viewport().height())
            continue;
        paintRow(painter, device);
        paintLifespans(painter, device);
        paintCollisions(painter, device);
    }
    if (block().passes.empty())
        paintNothing(painter);
}

void BlockPainter::paintNothing(QPainter& painter) const
{
    painter.setPen(color(Role::Secondary));
    painter.drawText(
        room().adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap,
        BlockView::tr("Double-click a row to place its next pass there, press C to complete "
                      "the block, or start from a family's block above."));
}

void BlockPainter::paintRuler(QPainter& painter) const
{
    const BuildingBlock& block = this->block();
    const double high = m_layout.rulerHeight();
    painter.save();
    painter.setClipRect(QRectF(m_geometry.titleWidth() - 1, 0, m_geometry.viewport().width(),
                               m_geometry.viewport().height()));
    // The interval from offset 0 on.
    const QRectF band(m_geometry.xOf(0), high - 8,
                      m_geometry.xOf(block.interval) - m_geometry.xOf(0), 5);
    QColor accent = color(Role::Accent);
    painter.setPen(Qt::NoPen);
    accent.setAlphaF(0.25F);
    painter.setBrush(accent);
    painter.drawRect(band);
    painter.setFont(m_layout.smallFont());
    const QFontMetricsF metrics(painter.font());
    const double room = metrics.horizontalAdvance(QStringLiteral("0000"));
    const TimeMarks marks = timeMarks(m_geometry.scale(), this->room().width(), room);
    painter.setPen(color(Role::Secondary));
    for (const double time : marks.times) {
        const double x = m_geometry.scale().x(time);
        painter.drawLine(QPointF(x, high - 3), QPointF(x, high));
        painter.drawText(QRectF(x + 2, 0, 80, high - 9), Qt::AlignLeft | Qt::AlignBottom,
                         QString::number(std::llround(time)));
    }
    // Where the next block begins: the handle.
    const double x = m_geometry.xOf(block.interval);
    painter.setPen(QPen(color(Role::Accent), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, high - 3), QPointF(x, m_geometry.viewport().height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::Accent));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawRoundedRect(QRectF(x - 4, high - 14, 8, 14), 3, 3);
    painter.restore();
    painter.setFont(m_layout.font());
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(0, 0, m_geometry.titleWidth() - 10, high - 6),
                     Qt::AlignRight | Qt::AlignBottom, BlockView::tr("units"));
}

void BlockPainter::paintPass(QPainter& painter, const BlockPass& placed, Ticks shift) const
{
    const QRectF box = m_geometry.boxOf(placed, shift);
    if (box.right() < m_geometry.titleWidth() || box.left() > m_geometry.viewport().width())
        return;
    LanePainter lanes(m_none, {}, ColorBy::Kind);
    lanes.setNumber(BlockNumber::Stage);
    lanes.paintSpan(painter, box, m_picture.looks.of(placed.pass, block()), placed.pass, {});
}

/// The block's own passes stand out, unless their letters would then find no room, which those of
/// its repetitions have. In a long block they have letters as long as these can be read.
QFont BlockPainter::blockFont(DeviceId device) const
{
    const BuildingBlock& block = this->block();
    const auto fits = [&](const QFont& font) {
        const QFontMetricsF metrics(font);
        constexpr double beside = 3;
        return std::all_of(block.passes.begin(), block.passes.end(), [&](const BlockPass& placed) {
            return block.device(placed.pass) != device ||
                   metrics.horizontalAdvance(numberOf(placed.pass, BlockNumber::Stage)) + beside <=
                       m_geometry.boxOf(placed, 0).width();
        });
    };
    QFont font = m_layout.smallFont();
    font.setWeight(QFont::DemiBold);
    if (fits(font))
        return font;
    constexpr int least = 7; // pixels
    font = m_layout.smallFont();
    for (int size = QFontInfo(font).pixelSize(); size > least && !fits(font);)
        font.setPixelSize(--size);
    return font;
}

/// A line a unit, or where they are too fine a line a grid or interval.
void BlockPainter::paintUnits(QPainter& painter, const QRectF& row) const
{
    constexpr double least = 7; // pixels from line to line
    const Ticks interval = block().interval, grid = m_picture.model.grid();
    const double perTick = m_geometry.pixelsPerTick();
    const Ticks unit = perTick >= least                               ? 1
                       : static_cast<double>(grid) * perTick >= least ? grid
                                                                      : interval;
    for (Ticks time = m_layout.first(); time <= m_layout.last(); time += unit) {
        const double x = std::round(m_geometry.xOf(time));
        const bool whole = residue(time, interval) == 0;
        QColor line = color(Role::Line);
        line.setAlphaF(whole ? 1.0F : 0.45F);
        painter.setPen(line);
        painter.drawLine(QPointF(x, row.top()), QPointF(x, row.bottom()));
    }
}

void BlockPainter::paintRow(QPainter& painter, DeviceId device) const
{
    const BuildingBlock& block = this->block();
    const QRectF row = m_geometry.rowOf(device);
    painter.fillRect(row, color(Role::Lane));
    paintUnits(painter, row);
    painter.setFont(m_layout.smallFont());
    const Ticks reach = (m_layout.last() - m_layout.first()) / block.interval + 1;
    constexpr Ticks mostRepetitions = 200; // as many as can be told apart
    painter.setOpacity(pale);
    for (Ticks k = -std::min(reach, mostRepetitions); k <= std::min(reach, mostRepetitions); ++k) {
        for (const BlockPass& placed : block.passes) {
            if (k != 0 && block.device(placed.pass) == device)
                paintPass(painter, placed, k * block.interval);
        }
    }
    painter.setOpacity(1);
    painter.setFont(blockFont(device));
    for (const BlockPass& placed : block.passes) {
        if (block.device(placed.pass) == device)
            paintPass(painter, placed, 0);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const Pass& pass : m_picture.selection) {
        if (block.device(pass) != device)
            continue;
        paintFrame(painter, m_geometry.rectangleOf(pass).adjusted(0, 0, -1, 0),
                   m_picture.focused ? Role::Accent : Role::Text);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// What a lifespan's ruler may say, the fullest first.
QStringList BlockPainter::lifespanLabels(DeviceId device, std::size_t cell) const
{
    const Lifespan& one = m_picture.model.findings().lifespans[device.index()].cells[cell];
    const QString length = QString::number(one.length());
    const QString whole = BlockView::tr("stage %1: %2, %3 at once")
                              .arg(one.forward.stage)
                              .arg(length)
                              .arg(one.intervals(block().interval));
    const Result<TimedBlock>* timed = m_picture.model.timed();
    if (timed == nullptr || !*timed)
        return {whole, length};
    const TimedLifespan& own = (*timed)->cells[device.index()][cell];
    const QString time = text(timeText(own.length));
    const QString known =
        (*timed)->sized ? time + QStringLiteral(", ") + text(byteText(own.bytes)) : time;
    const QString comma = QStringLiteral(", ");
    return {whole + comma + known, length + comma + known, known, time, length};
}

void BlockPainter::paintLifespans(QPainter& painter, DeviceId device) const
{
    const std::vector<DeviceLifespans>& all = m_picture.model.findings().lifespans;
    if (all.empty())
        return;
    const std::vector<Lifespan>& cells = all[device.index()].cells;
    const QRectF row = m_geometry.rowOf(device);
    const double top = row.top() + m_layout.passHeight() + 1;
    const double room = row.bottom() - top;
    if (cells.empty() || room < 3)
        return;
    const double high = room / static_cast<double>(cells.size());
    painter.setFont(m_layout.smallFont());
    const QFontMetricsF metrics(painter.font());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Lifespan& cell = cells[i];
        const double y = std::floor(top + (static_cast<double>(i) + 0.5) * high) + 0.5;
        const double left = m_geometry.xOf(cell.start) + 0.5;
        const double right = m_geometry.xOf(cell.end) - 0.5;
        const bool chosen = std::any_of(
            m_picture.selection.begin(), m_picture.selection.end(), [&](const Pass& pass) {
                return pass.stage == cell.forward.stage && pass.route == cell.forward.route &&
                       pass.microBatch == cell.forward.microBatch;
            });
        const bool named = cells.size() <= mostRulers && high >= 0.72 * metrics.height();
        const double cap = std::min(3.0, high / 2 - 0.5);
        painter.setPen(QPen(color(chosen ? Role::Accent : Role::Secondary), chosen ? 2 : 1));
        painter.drawLine(QPointF(left, y), QPointF(right, y));
        painter.drawLine(QPointF(left, y - cap), QPointF(left, y + cap));
        painter.drawLine(QPointF(right, y - cap), QPointF(right, y + cap));
        if (!named)
            continue;
        const auto wide = [&](const QString& label) {
            return metrics.horizontalAdvance(label) + 8;
        };
        const QStringList labels = lifespanLabels(device, i);
        const auto label = std::find_if(labels.begin(), labels.end(), [&](const QString& one) {
            return wide(one) + 8 <= right - left;
        });
        if (label == labels.end())
            continue;
        const double width = wide(*label);
        const QRectF box((left + right - width) / 2, y - metrics.height() / 2, width,
                         metrics.height());
        painter.fillRect(box, color(Role::Lane));
        painter.drawText(box, Qt::AlignCenter, *label);
    }
}

void BlockPainter::paintCollisions(QPainter& painter, DeviceId device) const
{
    const BuildingBlock& block = this->block();
    QColor fill = color(Role::Refusal);
    fill.setAlphaF(0.35F);
    const double high = m_layout.passHeight();
    const QRectF row = m_geometry.rowOf(device);
    painter.setPen(QPen(color(Role::Refusal), 1.5));
    painter.setBrush(QBrush(color(Role::Refusal), Qt::BDiagPattern));
    for (const Collision& one : m_picture.model.findings().collisions) {
        if (one.device != device)
            continue;
        // Where a repetition of the second overlaps the first as it is drawn.
        const Ticks from = one.first.start - one.second.end();
        const Ticks to = one.first.end() - one.second.start;
        for (Ticks k = intervalOf(from, block.interval) + 1; k * block.interval < to; ++k) {
            if (one.first == one.second && k == 0)
                continue;
            const Ticks shift = k * block.interval;
            const double left = m_geometry.xOf(std::max(one.first.start, one.second.start + shift));
            const double right =
                m_geometry.xOf(std::min(one.first.end(), one.second.end() + shift));
            const QRectF box(left, row.top(), right - left - 1, high);
            painter.fillRect(box, fill);
            painter.drawRect(box);
        }
    }
}

void BlockPainter::paintRefused(QPainter& painter, Ticks by, const QString& why,
                                QPointF pointer) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Refusal), 1.5, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    const double moved = static_cast<double>(by) * m_geometry.pixelsPerTick();
    for (const Pass& pass : m_picture.selection)
        painter.drawRoundedRect(m_geometry.rectangleOf(pass).translated(moved, 0), 3, 3);
    paintHint(painter, why, true, pointer, room().adjusted(0, -room().top(), 0, 0),
              m_layout.font());
}

void BlockPainter::paintTitles(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(
        QRectF(0, m_layout.rulerHeight(), m_geometry.titleWidth(), m_geometry.viewport().height()));
    for (const LaneRows::Row& one : m_geometry.rows().rows()) {
        if (one.lane >= 0) {
            paintTitle(painter, DeviceId(one.lane));
            continue;
        }
        painter.setFont(m_layout.smallFont());
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(10, m_geometry.rowTop(one), m_geometry.titleWidth(), one.height),
                         Qt::AlignVCenter | Qt::AlignLeft, one.title);
    }
    painter.restore();
}

void BlockPainter::paintTitle(QPainter& painter, DeviceId device) const
{
    const QFontMetricsF metrics(m_layout.font());
    const QRectF row = m_geometry.rowOf(device);
    const QRectF room(10, row.top(), m_geometry.titleWidth() - 14, row.height());
    QFont bold = m_layout.font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    const bool both = row.height() >= 2 * metrics.height();
    painter.drawText(room, static_cast<int>(both ? Qt::AlignTop : Qt::AlignVCenter) | Qt::AlignLeft,
                     BlockView::tr("device %1").arg(device));
    if (!both)
        return;
    QStringList stages;
    for (const HostedStage& hosted : m_picture.looks.stagesOf(device))
        stages += QString::number(hosted.stage);
    painter.setFont(m_layout.smallFont());
    painter.setPen(color(Role::Secondary));
    const QString line =
        (stages.size() == 1 ? BlockView::tr("stage %1") : BlockView::tr("stages %1"))
            .arg(stages.join(QStringLiteral(", ")));
    painter.drawText(room.adjusted(0, metrics.height(), 0, 0), Qt::AlignTop | Qt::AlignLeft,
                     QFontMetricsF(painter.font()).elidedText(line, Qt::ElideRight, room.width()));
}

} // namespace pw::ui
