// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/block/residues.h"
#include "ui/bench/block_view.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/lane_painter.h"
#include "ui/timeline/overlay_marks.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double pale = 0.28;         ///< of a repetition
constexpr std::size_t mostRulers = 4; ///< lifespans of a row that are drawn with their length

} // namespace

void BlockView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(Role::Paper));
    painter.setFont(font());
    painter.save();
    painter.setClipRect(
        QRectF(titleWidth(), rulerHeight(), viewport()->width(), viewport()->height()));
    for (const DeviceId device : Ids<DeviceId>(m_model.block().devices)) {
        const QRectF row = rowOf(device);
        if (row.bottom() < 0 || row.top() > viewport()->height())
            continue;
        paintRow(painter, device);
        paintLifespans(painter, device);
        paintCollisions(painter, device);
    }
    if (m_model.block().passes.empty()) {
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(titleWidth() + 12, rulerHeight(),
                                viewport()->width() - titleWidth() - 24,
                                viewport()->height() - rulerHeight()),
                         Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Double-click a row to place its next pass there, press C to complete "
                            "the block, or start from a family's block above."));
    }
    paintRefused(painter);
    if (m_gesture == Gesture::Band)
        paintBand(painter, QRectF(m_pressPoint, m_pointer).normalized());
    painter.restore();
    paintTitles(painter);
    paintRuler(painter);
}

void BlockView::paintRuler(QPainter& painter) const
{
    const BuildingBlock& block = m_model.block();
    const double high = rulerHeight();
    painter.save();
    painter.setClipRect(QRectF(titleWidth() - 1, 0, viewport()->width(), viewport()->height()));
    // The interval from offset 0 on.
    const QRectF band(xOf(0), high - 8, xOf(block.interval) - xOf(0), 5);
    QColor accent = color(Role::Accent);
    painter.setPen(Qt::NoPen);
    accent.setAlphaF(0.25F);
    painter.setBrush(accent);
    painter.drawRect(band);
    painter.setFont(smallFont());
    const QFontMetricsF metrics(painter.font());
    const double room = metrics.horizontalAdvance(QStringLiteral("0000"));
    const TimeMarks marks =
        timeMarks(scale(), static_cast<double>(m_last - m_first) * m_perTick, room);
    painter.setPen(color(Role::Secondary));
    for (const double time : marks.times) {
        const double x = scale().x(time);
        painter.drawLine(QPointF(x, high - 3), QPointF(x, high));
        painter.drawText(QRectF(x + 2, 0, 80, high - 9), Qt::AlignLeft | Qt::AlignBottom,
                         QString::number(std::llround(time)));
    }
    // Where the next block begins: the handle.
    const double x = xOf(block.interval);
    painter.setPen(QPen(color(Role::Accent), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, high - 3), QPointF(x, viewport()->height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::Accent));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawRoundedRect(QRectF(x - 4, high - 14, 8, 14), 3, 3);
    painter.restore();
    painter.setFont(font());
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(0, 0, titleWidth() - 10, high - 6), Qt::AlignRight | Qt::AlignBottom,
                     tr("units"));
}

void BlockView::paintPass(QPainter& painter, const BlockPass& placed, Ticks shift) const
{
    const QRectF box = boxOf(placed, shift);
    if (box.right() < titleWidth() || box.left() > viewport()->width())
        return;
    LanePainter lanes(m_none, {}, ColorBy::Kind);
    lanes.setNumber(BlockNumber::Stage);
    lanes.paintSpan(painter, box, lookOf(placed.pass), placed.pass, {});
}

/// The block's own passes stand out, unless their letters would then find no room, which those of
/// its repetitions have.
QFont BlockView::blockFont(DeviceId device) const
{
    const BuildingBlock& block = m_model.block();
    QFont bold = smallFont();
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(bold);
    constexpr double beside = 3;
    const bool fits =
        std::all_of(block.passes.begin(), block.passes.end(), [&](const BlockPass& placed) {
            return block.device(placed.pass) != device ||
                   metrics.horizontalAdvance(numberOf(placed.pass, BlockNumber::Stage)) + beside <=
                       boxOf(placed, 0).width();
        });
    return fits ? bold : smallFont();
}

void BlockView::paintRow(QPainter& painter, DeviceId device) const
{
    const BuildingBlock& block = m_model.block();
    const QRectF row = rowOf(device);
    painter.fillRect(row, color(Role::Lane));
    // A line a unit, or where they are too fine a line a grid or interval.
    const Ticks unit = m_perTick >= 7                                         ? 1
                       : static_cast<double>(m_model.grid()) * m_perTick >= 7 ? m_model.grid()
                                                                              : block.interval;
    for (Ticks time = m_first; time <= m_last; time += unit) {
        const double x = std::round(xOf(time));
        const bool whole = residue(time, block.interval) == 0;
        QColor line = color(Role::Line);
        line.setAlphaF(whole ? 1.0F : 0.45F);
        painter.setPen(line);
        painter.drawLine(QPointF(x, row.top()), QPointF(x, row.bottom()));
    }
    painter.setFont(smallFont());
    const Ticks reach = (m_last - m_first) / block.interval + 1;
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
    for (const Pass& pass : m_selection) {
        if (block.device(pass) != device)
            continue;
        paintFrame(painter, rectangleOf(pass).adjusted(0, 0, -1, 0),
                   hasFocus() ? Role::Accent : Role::Text);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// What a lifespan's ruler may say, the fullest first.
QStringList BlockView::lifespanLabels(DeviceId device, std::size_t cell) const
{
    const Lifespan& one = m_model.findings().lifespans[device.index()].cells[cell];
    const QString length = QString::number(one.length());
    const QString whole = tr("stage %1: %2, %3 at once")
                              .arg(one.forward.stage)
                              .arg(length)
                              .arg(one.intervals(m_model.block().interval));
    const Result<TimedBlock>* timed = m_model.timed();
    if (timed == nullptr || !*timed)
        return {whole, length};
    const TimedLifespan& own = (*timed)->cells[device.index()][cell];
    const QString time = text(timeText(own.length));
    const QString known =
        (*timed)->sized ? time + QStringLiteral(", ") + text(byteText(own.bytes)) : time;
    const QString comma = QStringLiteral(", ");
    return {whole + comma + known, length + comma + known, known, time, length};
}

void BlockView::paintLifespans(QPainter& painter, DeviceId device) const
{
    const std::vector<DeviceLifespans>& all = m_model.findings().lifespans;
    if (all.empty())
        return;
    const std::vector<Lifespan>& cells = all[device.index()].cells;
    const QRectF row = rowOf(device);
    const double top = row.top() + passHeight() + 1;
    const double room = row.bottom() - top;
    if (cells.empty() || room < 3)
        return;
    const double high = room / static_cast<double>(cells.size());
    painter.setFont(smallFont());
    const QFontMetricsF metrics(painter.font());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Lifespan& cell = cells[i];
        const double y = std::floor(top + (static_cast<double>(i) + 0.5) * high) + 0.5;
        const double left = xOf(cell.start) + 0.5;
        const double right = xOf(cell.end) - 0.5;
        const bool chosen =
            std::any_of(m_selection.begin(), m_selection.end(), [&](const Pass& pass) {
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

void BlockView::paintCollisions(QPainter& painter, DeviceId device) const
{
    const BuildingBlock& block = m_model.block();
    QColor fill = color(Role::Refusal);
    fill.setAlphaF(0.35F);
    const double high = passHeight();
    const QRectF row = rowOf(device);
    painter.setPen(QPen(color(Role::Refusal), 1.5));
    painter.setBrush(QBrush(color(Role::Refusal), Qt::BDiagPattern));
    for (const Collision& one : m_model.findings().collisions) {
        if (one.device != device)
            continue;
        // Where a repetition of the second overlaps the first as it is drawn.
        const Ticks from = one.first.start - one.second.end();
        const Ticks to = one.first.end() - one.second.start;
        for (Ticks k = intervalOf(from, block.interval) + 1; k * block.interval < to; ++k) {
            if (one.first == one.second && k == 0)
                continue;
            const Ticks shift = k * block.interval;
            const double left = xOf(std::max(one.first.start, one.second.start + shift));
            const double right = xOf(std::min(one.first.end(), one.second.end() + shift));
            const QRectF box(left, row.top(), right - left - 1, high);
            painter.fillRect(box, fill);
            painter.drawRect(box);
        }
    }
}

void BlockView::paintRefused(QPainter& painter) const
{
    if (m_gesture != Gesture::Move || m_refusal.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Refusal), 1.5, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    for (const Pass& pass : m_selection)
        painter.drawRoundedRect(
            rectangleOf(pass).translated(static_cast<double>(m_by) * m_perTick, 0), 3, 3);
    paintHint(painter, m_refusal, true, m_pointer,
              QRectF(titleWidth(), 0, viewport()->width() - titleWidth(), viewport()->height()),
              font());
}

void BlockView::paintTitles(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(QRectF(0, rulerHeight(), titleWidth(), viewport()->height()));
    const QFontMetricsF metrics(font());
    for (const DeviceId device : Ids<DeviceId>(m_model.block().devices)) {
        const QRectF row = rowOf(device);
        const QRectF room(10, row.top(), titleWidth() - 14, row.height());
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
        painter.setPen(color(Role::Text));
        const bool both = row.height() >= 2 * metrics.height();
        painter.drawText(room,
                         static_cast<int>(both ? Qt::AlignTop : Qt::AlignVCenter) | Qt::AlignLeft,
                         tr("device %1").arg(device));
        if (!both)
            continue;
        QStringList stages;
        for (const HostedStage& hosted : m_stages[device.index()])
            stages += QString::number(hosted.stage);
        painter.setFont(smallFont());
        painter.setPen(color(Role::Secondary));
        const QString line = (stages.size() == 1 ? tr("stage %1") : tr("stages %1"))
                                 .arg(stages.join(QStringLiteral(", ")));
        painter.drawText(
            room.adjusted(0, metrics.height(), 0, 0), Qt::AlignTop | Qt::AlignLeft,
            QFontMetricsF(painter.font()).elidedText(line, Qt::ElideRight, room.width()));
    }
    painter.restore();
}

} // namespace pw::ui
