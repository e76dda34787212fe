// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/slice_merger.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace pw {

void SliceMerger::take(const ActivitySlice& slice)
{
    if (m_grain <= 0) {
        m_out.push_back(slice);
        return;
    }
    if (m_groups.size() <= slice.depth)
        m_groups.resize(std::size_t{slice.depth} + 1);
    SliceGroup& group = m_groups[slice.depth];
    if (group.join(slice, m_grain))
        return;
    if (!group.empty())
        m_out.push_back(group.slice());
    group.begin(slice, m_grain);
}

void SliceMerger::finish()
{
    if (m_grain <= 0)
        return;
    for (const SliceGroup& group : m_groups)
        if (!group.empty())
            m_out.push_back(group.slice());
    m_groups.clear();
    std::sort(m_out.begin(), m_out.end(), [](const ActivitySlice& a, const ActivitySlice& b) {
        return std::tuple(a.start, a.depth) < std::tuple(b.start, b.depth);
    });
}

void LevelMerger::take(const ActivitySlice& slice)
{
    if (slice.depth >= m_out.size())
        return;
    std::vector<ActivitySlice>& out = m_out[slice.depth];
    if (m_grain <= 0) {
        out.push_back(slice);
        return;
    }
    SliceGroup& group = m_groups[slice.depth];
    if (group.join(slice, m_grain))
        return;
    if (!group.empty())
        out.push_back(group.slice());
    group.begin(slice, m_grain);
}

void LevelMerger::finish()
{
    for (std::size_t level = 0; level < m_groups.size(); ++level)
        if (!m_groups[level].empty())
            m_out[level].push_back(m_groups[level].slice());
    m_groups.clear();
}

} // namespace pw
