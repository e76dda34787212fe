// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"

#include <vector>

namespace pw::ui {

/// The ways from a pass of a building block to others; the block outlives it.
class BlockWalk
{
public:
    explicit BlockWalk(const BuildingBlock& block)
        : m_block(block)
    {
    }

    /// The pass that begins first on a device; null: it has none.
    const BlockPass* first(DeviceId device) const;
    /// The next pass of the same device that begins later (+1) or earlier (−1); null: there is
    /// none.
    const BlockPass* along(const BlockPass& from, int direction) const;
    /// What runs on a device at the same time, else what comes next there, else the last; null: it
    /// has no passes.
    const BlockPass* across(const BlockPass& from, DeviceId device) const;
    /// What waits for a pass (+1), or what it waits for (−1).
    std::vector<Pass> arrows(const BlockPass& from, int direction) const;
    /// The nearest edge of a pass of a device; none closer than the reach: the time itself.
    double snapped(double time, DeviceId device, double reach) const;

private:
    const BuildingBlock& m_block;
};

} // namespace pw::ui
