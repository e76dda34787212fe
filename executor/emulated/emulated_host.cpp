// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/emulated/emulated_host.h"

#include "core/model/costs.h"
#include "core/model/offload.h"

#include <algorithm>
#include <utility>

namespace pw::exec {

void EmulatedHost::beginIteration(Ticks base)
{
    m_base = base;
    m_thereFree = m_backFree = 0;
    m_ways.clear();
}

void EmulatedHost::stow(const Pass& cell, Ticks asked)
{
    const Ticks start = std::max(asked, m_thereFree);
    m_thereFree = start + hostCopyTime(m_plan.costs.offload, bytesOf(cell));
    m_ways[cell].there = m_thereFree;
    note(cell, false, start, m_thereFree);
}

void EmulatedHost::fetch(const Pass& cell, Ticks asked)
{
    Ways& ways = m_ways[cell];
    const Ticks start = std::max({asked, ways.there, m_backFree});
    m_backFree = start + hostCopyTime(m_plan.costs.offload, bytesOf(cell));
    ways.back = m_backFree;
    note(cell, true, start, m_backFree);
}

Ticks EmulatedHost::arrival(const Pass& pass)
{
    if (m_ways.empty() || pass.kind == PassKind::F || pass.kind == PassKind::U)
        return 0;
    Pass cell = pass;
    cell.kind = PassKind::F;
    const auto found = m_ways.find(cell);
    if (found == m_ways.end())
        return 0;
    const Ticks back = found->second.back;
    m_ways.erase(found);
    return back;
}

Bytes EmulatedHost::bytesOf(const Pass& cell) const
{
    const ActivationCost& cost =
        m_plan.costs.activation[cellIndex(m_plan.schedule.spec(), cell.stage, cell.segment)];
    return activationChange(cost, PassKind::F, m_plan.schedule.recomputed(cell)).bytes;
}

std::vector<Copied> EmulatedHost::takeCopies()
{
    return std::exchange(m_copied, {});
}

void EmulatedHost::note(const Pass& cell, bool back, Ticks start, Ticks end)
{
    m_copied.push_back({cell, back, bytesOf(cell), Mark{m_base + start}, Mark{m_base + end}});
}

} // namespace pw::exec
