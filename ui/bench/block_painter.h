// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"
#include "ui/bench/block_geometry.h"
#include "ui/models/lanes.h"
#include "ui/timeline/lane_painter.h"

#include <QStringList>

#include <vector>

class QPainter;

namespace pw::ui {

/// How the passes of a block are drawn: a tint tells which of its device's stages a pass is of.
class BlockLooks
{
public:
    BlockLooks() = default;
    explicit BlockLooks(const BuildingBlock& block);

    /// @param block  the one that the looks were made for, with passes anywhere
    SpanLook of(const Pass& pass, const BuildingBlock& block) const;
    const std::vector<HostedStage>& stagesOf(DeviceId device) const
    {
        return m_stages[device.index()];
    }

private:
    std::vector<std::vector<HostedStage>> m_stages; ///< by device
};

/// Paints a building block: a row a device with its passes and, paler, their repetitions, below
/// them a line for every lifespan; a ruler and titles.
class BlockPainter
{
public:
    /// All of it outlives the painter.
    struct Picture
    {
        const BenchModel& model;
        const BlockGeometry& geometry;
        const BlockLooks& looks;
        const std::vector<Pass>& selection;
        bool focused = false;
    };

    explicit BlockPainter(Picture picture)
        : m_picture(picture)
        , m_geometry(picture.geometry)
        , m_layout(picture.geometry.layout())
    {
    }

    /// Below the ruler and right of the titles; the painter is left clipped to it.
    void paintRows(QPainter& painter) const;
    void paintTitles(QPainter& painter) const;
    void paintRuler(QPainter& painter) const;
    /// Where the selection cannot be moved to, and why, beside the pointer.
    void paintRefused(QPainter& painter, Ticks by, const QString& why, QPointF pointer) const;

private:
    const BuildingBlock& block() const { return m_geometry.block(); }
    QRectF room() const { return m_geometry.room(); }
    void paintTitle(QPainter& painter, DeviceId device) const;
    QFont blockFont(DeviceId device) const;
    void paintNothing(QPainter& painter) const;
    void paintUnits(QPainter& painter, const QRectF& row) const;
    void paintRow(QPainter& painter, DeviceId device) const;
    QStringList lifespanLabels(DeviceId device, std::size_t cell) const;
    void paintLifespans(QPainter& painter, DeviceId device) const;
    void paintCollisions(QPainter& painter, DeviceId device) const;
    void paintPass(QPainter& painter, const BlockPass& placed, Ticks shift) const;

    Picture m_picture;
    const BlockGeometry& m_geometry;
    const BlockLayout& m_layout;
    Lanes m_none; ///< what a lane painter is made for
};

} // namespace pw::ui
