// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_selection.h"

#include "ui/bench/block_walk.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pw::ui {

namespace {

const BlockPass* placeOf(const Pass& pass, const BuildingBlock& block)
{
    const auto placed = std::find_if(block.passes.begin(), block.passes.end(),
                                     [&](const BlockPass& one) { return one.pass == pass; });
    return placed == block.passes.end() ? nullptr : &*placed;
}

} // namespace

bool BlockSelection::set(std::vector<Pass> passes)
{
    if (passes == m_passes)
        return false;
    m_passes = std::move(passes);
    return true;
}

bool BlockSelection::dropMissing(const BuildingBlock& block)
{
    return std::erase_if(m_passes,
                         [&](const Pass& pass) { return placeOf(pass, block) == nullptr; }) > 0;
}

const BlockPass* BlockSelection::current(const BuildingBlock& block) const
{
    return empty() ? nullptr : placeOf(m_passes.back(), block);
}

std::vector<Pass> BlockSelection::walk(const BuildingBlock& block, int direction)
{
    const BlockPass* from = current(block);
    if (from == nullptr)
        return {};
    m_walkedTo = BlockWalk(block).arrows(*from, direction);
    return m_walkedTo.empty() ? std::vector<Pass>{} : std::vector<Pass>{m_walkedTo.front()};
}

std::vector<Pass> BlockSelection::walkAside(int direction) const
{
    const auto here = empty() ? m_walkedTo.end()
                              : std::find(m_walkedTo.begin(), m_walkedTo.end(), m_passes.back());
    if (here == m_walkedTo.end())
        return {};
    const auto count = static_cast<std::ptrdiff_t>(m_walkedTo.size());
    const auto next = (here - m_walkedTo.begin() + direction + count) % count;
    return {m_walkedTo[static_cast<std::size_t>(next)]};
}

std::vector<Pass> BlockSelection::pressed(const Pass& pass, bool add) const
{
    std::vector<Pass> chosen = m_passes;
    const auto known = std::find(chosen.begin(), chosen.end(), pass);
    if (!add && known == chosen.end())
        chosen = {pass};
    else if (add && known != chosen.end())
        chosen.erase(known);
    else if (add)
        chosen.push_back(pass);
    return chosen;
}

std::vector<Pass> BlockSelection::banded(const QRectF& band, const BlockGeometry& geometry) const
{
    constexpr double least = 2; // pixels; less is a click
    std::vector<Pass> chosen = m_passes;
    for (const BlockPass& placed : geometry.block().passes) {
        if (band.width() > least && band.intersects(geometry.boxOf(placed)) &&
            std::find(chosen.begin(), chosen.end(), placed.pass) == chosen.end())
            chosen.push_back(placed.pass);
    }
    return chosen;
}

std::vector<Pass> passesOf(const BuildingBlock& block)
{
    std::vector<Pass> all;
    for (const BlockPass& placed : block.passes)
        all.push_back(placed.pass);
    return all;
}

} // namespace pw::ui
