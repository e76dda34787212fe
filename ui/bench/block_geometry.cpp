// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_geometry.h"

#include "core/block/residues.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double rowGap = 6;    ///< between rows
constexpr double mostPass = 34; ///< height of the passes in a row
constexpr int fewDevices = 8;
constexpr double widestTick = 44; ///< pixels of a unit, unless its number needs more

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

void BlockLayout::layOut(const BuildingBlock& block, QSizeF room, const QFont& font, bool timesStay)
{
    m_font = font;
    m_devices = block.devices;
    const double lifespanRows = 2 * QFontMetricsF(smallFont()).height();
    m_rowHeight = std::floor(std::clamp((room.height() - rulerHeight()) / block.devices - rowGap,
                                        leastRow(), std::max(mostPass, leastRow()) + lifespanRows));
    if (!timesStay)
        layOutTimes(block, room.width());
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
    const double least = (QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("00")) + 1) /
                         static_cast<double>(shortest);
    const double most = std::max(least, widestTick);
    // A short block is repeated until the room is full; of a long one the begin is seen.
    const auto full = static_cast<Ticks>(std::ceil(std::max(0.0, room) / most));
    m_last = std::max(m_last, (intervalOf(m_first + full, block.interval) + 1) * block.interval);
    m_usualEnd = std::min(static_cast<double>(m_last),
                          static_cast<double>(m_first) + room / std::min(least, widestTick));
}

std::vector<LaneRows::Row> BlockLayout::outline(const BuildingBlock& block) const
{
    std::vector<LaneRows::Row> rows;
    for (const DeviceId device : Ids<DeviceId>(block.devices)) {
        LaneRows::Row row;
        row.lane = device.value;
        row.key = device.index();
        row.height = static_cast<int>(rowPitch());
        rows.push_back(row);
    }
    return rows;
}

QRectF BlockGeometry::room() const
{
    const double ruler = m_layout.rulerHeight();
    return {m_scale.left, ruler, m_viewport.width() - m_scale.left, m_viewport.height() - ruler};
}

Ticks BlockGeometry::timeAt(double x) const
{
    return static_cast<Ticks>(std::floor(m_scale.time(x)));
}

double BlockGeometry::rowTop(const LaneRows::Row& row) const
{
    return m_layout.rulerHeight() + row.top - m_scrolled;
}

QRectF BlockGeometry::rowOf(DeviceId device) const
{
    const LaneRows::Row* row = m_rows.rowOf(device.value);
    if (row == nullptr)
        return {};
    return {m_scale.left, rowTop(*row), m_viewport.width() - m_scale.left, m_layout.rowHeight()};
}

DeviceId BlockGeometry::deviceAt(double y) const
{
    const double ruler = m_layout.rulerHeight();
    const int row = y < ruler ? -1 : m_rows.rowAt(static_cast<int>(y - ruler) + m_scrolled);
    const int lane = row < 0 ? -1 : m_rows.rows()[static_cast<std::size_t>(row)].lane;
    return lane < 0 ? DeviceId::none() : DeviceId(lane);
}

QRectF BlockGeometry::boxOf(const BlockPass& placed, Ticks shift) const
{
    return {xOf(placed.start + shift), rowOf(m_block.device(placed.pass)).top(),
            static_cast<double>(placed.duration) * pixelsPerTick(), m_layout.passHeight()};
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
    if (point.x() < m_scale.left || point.y() < m_layout.rulerHeight())
        return nullptr;
    // The one drawn last is on top.
    for (auto placed = m_block.passes.rbegin(); placed != m_block.passes.rend(); ++placed)
        if (boxOf(*placed).contains(point))
            return &*placed;
    return nullptr;
}

} // namespace pw::ui
