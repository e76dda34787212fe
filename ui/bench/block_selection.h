// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/block_geometry.h"

#include <vector>

namespace pw::ui {

/// Chosen passes of a building block, in the order in which they were chosen.
class BlockSelection
{
public:
    const std::vector<Pass>& passes() const { return m_passes; }
    bool empty() const { return m_passes.empty(); }
    /// @return  false: they were chosen already
    bool set(std::vector<Pass> passes);
    /// Takes out what a block does not have. @return  false: it has all of them
    bool dropMissing(const BuildingBlock& block);
    /// Where the one that was chosen last is in a block; null: nothing is chosen.
    const BlockPass* current(const BuildingBlock& block) const;

    // What would be chosen then; nothing: there is no such pass.

    /// Along the arrows: what waits for the one that was chosen last (+1), what it waits for (−1).
    std::vector<Pass> walk(const BuildingBlock& block, int direction);
    /// The next or previous of those that the last walk could have come to.
    std::vector<Pass> walkAside(int direction) const;

    /// A press on a pass chooses it, unless it is chosen. @param add  or takes it away
    std::vector<Pass> pressed(const Pass& pass, bool add) const;
    /// With what a band in the viewport touches.
    std::vector<Pass> banded(const QRectF& band, const BlockGeometry& geometry) const;

private:
    std::vector<Pass> m_passes;
    std::vector<Pass> m_walkedTo; ///< what the last walk could have come to
};

/// All passes of a block.
std::vector<Pass> passesOf(const BuildingBlock& block);

} // namespace pw::ui
