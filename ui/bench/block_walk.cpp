// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_walk.h"

#include "core/model/dependency_rule.h"

#include <algorithm>
#include <cmath>

namespace pw::ui {

const BlockPass* BlockWalk::first(DeviceId device) const
{
    const BlockPass* best = nullptr;
    for (const BlockPass& placed : m_block.passes)
        if (m_block.device(placed.pass) == device &&
            (best == nullptr || placed.start < best->start))
            best = &placed;
    return best;
}

const BlockPass* BlockWalk::along(const BlockPass& from, int direction) const
{
    const DeviceId device = m_block.device(from.pass);
    const BlockPass* best = nullptr;
    for (const BlockPass& placed : m_block.passes) {
        const Ticks way = direction * (placed.start - from.start);
        if (m_block.device(placed.pass) == device && way > 0 &&
            (best == nullptr || way < direction * (best->start - from.start)))
            best = &placed;
    }
    return best;
}

const BlockPass* BlockWalk::across(const BlockPass& from, DeviceId device) const
{
    const BlockPass* best = nullptr;
    const auto later = [&](const BlockPass& one) { return one.end() > from.start; };
    for (const BlockPass& placed : m_block.passes) {
        if (m_block.device(placed.pass) != device)
            continue;
        if (best == nullptr || (later(placed) && !later(*best)) ||
            (later(placed) ? placed.start < best->start
                           : !later(*best) && placed.start > best->start))
            best = &placed;
    }
    return best;
}

std::vector<Pass> BlockWalk::arrows(const BlockPass& from, int direction) const
{
    std::vector<Pass> found;
    const auto take = [&](PassKind kind, StageId stage, int segment) {
        // The rule says B of either kind of backward.
        for (const BlockPass& placed : m_block.passes) {
            const Pass& other = placed.pass;
            const bool alike =
                other.kind == kind || (kind == PassKind::B && other.kind == PassKind::BW);
            if (alike && other.stage == stage && other.segment == segment &&
                other.microBatch == from.pass.microBatch && other.route == from.pass.route)
                found.push_back(other);
        }
    };
    const PipelineSpec spec = specOf(m_block);
    if (direction > 0)
        eachUse(spec, from.pass, false, take);
    else
        eachNeed(spec, from.pass, false, take);
    return found;
}

double BlockWalk::snapped(double time, DeviceId device, double reach) const
{
    double best = time;
    double least = reach;
    for (const BlockPass& placed : m_block.passes) {
        if (m_block.device(placed.pass) != device)
            continue;
        for (const Ticks edge : {placed.start, placed.end()}) {
            if (const double off = std::abs(static_cast<double>(edge) - time); off < least) {
                least = off;
                best = static_cast<double>(edge);
            }
        }
    }
    return best;
}

} // namespace pw::ui
