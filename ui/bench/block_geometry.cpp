// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_geometry.h"

#include "core/block/residues.h"
#include "ui/bench/block_view.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double rowGap = 6;    ///< between rows
constexpr double mostPass = 34; ///< height of the passes in a row
constexpr int fewDevices = 8;

} // namespace

QFont BlockLayout::smallFont() const
{
    QFont small = m_font;
    small.setPointSizeF(m_font.pointSizeF() * 0.85);
    return small;
}

double BlockLayout::leastRow() const
{
    const double line = QFontMetricsF(smallFont()).height();
    return m_devices <= fewDevices ? 2 * line + 1 : std::max(22.0, 1.5 * line);
}

double BlockLayout::rulerHeight() const
{
    return std::max(26.0, 1.9 * QFontMetricsF(m_font).height());
}

double BlockLayout::passHeight() const
{
    const double rulers = QFontMetricsF(smallFont()).height() * 2;
    return std::clamp(m_rowHeight - rulers, std::min(leastRow(), m_rowHeight),
                      std::max(mostPass, leastRow()));
}

double BlockLayout::rowPitch() const
{
    return m_rowHeight + rowGap;
}

double BlockLayout::leastPitch() const
{
    return leastRow() + rowGap;
}

QSize BlockLayout::whole() const
{
    return {static_cast<int>(std::ceil(static_cast<double>(m_last - m_first) * m_perTick)),
            static_cast<int>(std::ceil(m_devices * rowPitch()))};
}

void BlockLayout::zoom(double factor)
{
    m_zoom = std::clamp(m_zoom * factor, 0.25, 16.0);
}

void BlockLayout::layOut(const BuildingBlock& block, QSize viewport, const QFont& font,
                         bool timesStay)
{
    m_font = font;
    const QFontMetricsF metrics(font);
    m_titleWidth =
        metrics.horizontalAdvance(BlockView::tr("stages %1").arg(QStringLiteral("00, 00"))) + 20;
    m_devices = block.devices;
    const double room = viewport.height() - rulerHeight();
    const double lifespanRows = 2 * QFontMetricsF(smallFont()).height();
    m_rowHeight = std::clamp(room / block.devices - rowGap, leastRow(),
                             std::max(mostPass, leastRow()) + lifespanRows);
    if (!timesStay)
        layOutTimes(block, viewport.width() - titleWidth());
}

void BlockLayout::layOutTimes(const BuildingBlock& block, double room)
{
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
    const double fit = (room - 8) / static_cast<double>(m_last - m_first);
    const double least = (QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("00")) + 1) /
                         static_cast<double>(shortest);
    m_perTick = m_zoom * std::clamp(fit, std::min(least, 60.0), std::max(least, 44.0));
}

TimeScale BlockGeometry::scale() const
{
    return {static_cast<double>(m_layout.first()), 1 / m_layout.pixelsPerTick(),
            m_layout.titleWidth() - m_scrolled.x()};
}

Ticks BlockGeometry::timeAt(double x) const
{
    return static_cast<Ticks>(std::floor(scale().time(x)));
}

QRectF BlockGeometry::rowOf(DeviceId device) const
{
    return {m_layout.titleWidth(),
            m_layout.rulerHeight() + device * m_layout.rowPitch() - m_scrolled.y(),
            m_viewport.width() - m_layout.titleWidth(), m_layout.rowHeight()};
}

DeviceId BlockGeometry::deviceAt(double y) const
{
    const double ruler = m_layout.rulerHeight();
    const double row = std::floor((y - ruler + m_scrolled.y()) / m_layout.rowPitch());
    const bool there = y >= ruler && row >= 0 && row < m_block.devices;
    return there ? DeviceId(static_cast<int>(row)) : DeviceId::none();
}

QRectF BlockGeometry::boxOf(const BlockPass& placed, Ticks shift) const
{
    return {xOf(placed.start + shift), rowOf(m_block.device(placed.pass)).top(),
            static_cast<double>(placed.duration) * m_layout.pixelsPerTick(), m_layout.passHeight()};
}

QRectF BlockGeometry::rectangleOf(const Pass& pass) const
{
    for (const BlockPass& placed : m_block.passes)
        if (placed.pass == pass)
            return boxOf(placed);
    return {};
}

QRectF BlockGeometry::intervalHandle() const
{
    // At least as wide as a finger is sure of.
    return QRectF(xOf(m_block.interval) - 12, 0, 24, m_layout.rulerHeight());
}

const BlockPass* BlockGeometry::passAt(QPointF point) const
{
    if (point.x() < m_layout.titleWidth() || point.y() < m_layout.rulerHeight())
        return nullptr;
    // The one drawn last is on top.
    for (auto placed = m_block.passes.rbegin(); placed != m_block.passes.rend(); ++placed)
        if (boxOf(*placed).contains(point))
            return &*placed;
    return nullptr;
}

const BlockPass* passBeside(const BuildingBlock& block, const BlockPass* from, Ticks start,
                            int along, int across)
{
    const DeviceId device = from == nullptr ? DeviceId(0) : block.device(from->pass) + across;
    const Ticks at = from == nullptr ? start : from->start;
    const BlockPass* best = nullptr;
    const auto distance = [&](const BlockPass& placed) { return std::abs(placed.start - at); };
    for (const BlockPass& placed : block.passes) {
        if (block.device(placed.pass) != device || &placed == from)
            continue;
        if (from != nullptr && across == 0 && (placed.start > at ? 1 : -1) != along)
            continue;
        if (best == nullptr || distance(placed) < distance(*best))
            best = &placed;
    }
    return best;
}

} // namespace pw::ui
