// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/held_ends.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

bool HeldEnds::add(HeldEnd end, const EventArguments& said)
{
    if (m_ends.size() >= most)
        return false;
    if (said != EventArguments()) {
        end.arguments = static_cast<std::int32_t>(m_arguments.size());
        m_arguments.push_back(said);
    }
    m_ends.push_back(end);
    return true;
}

const std::vector<HeldEnd>& HeldEnds::sorted()
{
    std::stable_sort(m_ends.begin(), m_ends.end(), [](const HeldEnd& a, const HeldEnd& b) {
        return std::tuple(a.place, a.time) < std::tuple(b.place, b.time);
    });
    return m_ends;
}

const EventArguments& HeldEnds::argumentsOf(const HeldEnd& end) const
{
    static const EventArguments none;
    return end.arguments < 0 ? none : m_arguments[static_cast<std::size_t>(end.arguments)];
}

void HeldEnds::clear()
{
    m_ends = {};
    m_arguments = {};
}

void layOut(std::vector<LooseSlice>& slices)
{
    struct Tree
    {
        Ticks start = 0;
        Ticks end = 0;
        std::int32_t group = 0;
        std::int32_t number = 0;
    };
    std::map<std::int32_t, Tree> found;
    for (const LooseSlice& slice : slices) {
        const auto [tree, made] =
            found.try_emplace(slice.tree, Tree{slice.start, slice.end, slice.group, slice.tree});
        tree->second.start = std::min(tree->second.start, slice.start);
        tree->second.end = std::max(tree->second.end, slice.end);
    }
    std::vector<Tree> trees;
    for (const auto& [number, tree] : found)
        trees.push_back(tree);
    std::stable_sort(trees.begin(), trees.end(), [](const Tree& a, const Tree& b) {
        return std::tuple(a.group, a.start) < std::tuple(b.group, b.start);
    });
    std::map<std::int32_t, std::int32_t> rowOfTree;
    std::vector<Ticks> freeFrom; // of the rows of the group at hand
    for (std::size_t i = 0; i < trees.size(); ++i) {
        const Tree& tree = trees[i];
        if (i == 0 || tree.group != trees[i - 1].group)
            freeFrom.clear();
        auto row = std::find_if(freeFrom.begin(), freeFrom.end(),
                                [&tree](Ticks free) { return free <= tree.start; });
        if (row == freeFrom.end() && freeFrom.size() < static_cast<std::size_t>(mostLooseRows))
            row = freeFrom.insert(freeFrom.end(), tree.end);
        else if (row == freeFrom.end())
            --row;
        *row = std::max(*row, tree.end);
        rowOfTree[tree.number] = static_cast<std::int32_t>(row - freeFrom.begin());
    }
    for (LooseSlice& slice : slices)
        slice.row = rowOfTree[slice.tree];
    std::stable_sort(slices.begin(), slices.end(), [](const LooseSlice& a, const LooseSlice& b) {
        return std::tuple(a.group, a.row, a.start, b.end) <
               std::tuple(b.group, b.row, b.start, a.end);
    });
}

} // namespace pw
