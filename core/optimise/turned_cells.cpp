// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/turned_cells.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pw {

TurnedCells::TurnedCells(const OrderProblem& problem, std::vector<Pass> given)
    : m_problem(problem)
    , m_given(std::move(given))
{
    const PipelineSpec& spec = problem.spec();
    m_groups.resize(at(spec.steps * spec.routeCount()));
    for (int j = 0; j < spec.totalMicroBatches(); ++j) {
        const int group = j / spec.microBatches * spec.routeCount() + spec.route(j);
        m_groupOf.push_back(group);
        m_rank.push_back(static_cast<int>(m_groups[at(group)].size()));
        m_groups[at(group)].push_back(j);
    }
    if (!problem.symmetric() || problem.paired() || spec.updateRule != UpdateRule::Flush)
        return;
    // A class has every micro-batch of its step and route.
    for (std::int32_t node = 0; node < problem.nodes(); ++node) {
        const Pass& pass = problem.entry(node).pass;
        if (pass.kind != PassKind::U && problem.itemsOf(problem.classOf(node)).size() !=
                                            m_groups[at(m_groupOf[at(pass.microBatch)])].size())
            return;
    }
    const std::vector<Pattern> patterns = patternsOf(m_given);
    for (const std::vector<int>& group : m_groups) {
        for (const int j : group)
            m_any = m_any || patterns[at(j)] != patterns[at(group.front())];
    }
}

std::vector<TurnedCells::Pattern> TurnedCells::patternsOf(const std::vector<Pass>& cells) const
{
    std::vector<Pattern> patterns(m_groupOf.size());
    for (Pass cell : cells) {
        Pattern& pattern = patterns[at(std::exchange(cell.microBatch, 0))];
        pattern.push_back(cell);
    }
    for (Pattern& pattern : patterns)
        std::sort(pattern.begin(), pattern.end());
    return patterns;
}

std::vector<Pass> TurnedCells::cellsOf(const std::vector<Pattern>& patterns) const
{
    std::vector<Pass> cells;
    for (std::size_t j = 0; j < patterns.size(); ++j) {
        for (Pass cell : patterns[j]) {
            cell.microBatch = static_cast<int>(j);
            cells.push_back(cell);
        }
    }
    std::sort(cells.begin(), cells.end());
    return cells;
}

bool TurnedCells::turn(std::vector<Pass>& cells, std::mt19937_64& random) const
{
    std::vector<Pattern> patterns = patternsOf(cells);
    const std::size_t one = random() % patterns.size();
    const std::vector<int>& group = m_groups[at(m_groupOf[one])];
    const std::size_t other = at(group[random() % group.size()]);
    if (patterns[one] == patterns[other])
        return false;
    std::swap(patterns[one], patterns[other]);
    cells = cellsOf(patterns);
    return true;
}

void TurnedCells::forAll(const std::function<bool(const std::vector<Pass>&)>& look) const
{
    std::vector<Pattern> patterns = patternsOf(m_given);
    std::vector<std::vector<Pattern>> arranged(m_groups.size());
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        for (const int j : m_groups[group])
            arranged[group].push_back(patterns[at(j)]);
        std::sort(arranged[group].begin(), arranged[group].end());
    }
    for (;;) {
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            for (std::size_t i = 0; i < m_groups[group].size(); ++i)
                patterns[at(m_groups[group][i])] = arranged[group][i];
        }
        const std::vector<Pass> cells = cellsOf(patterns);
        if (cells != m_given && !look(cells))
            return;
        std::size_t group = 0;
        while (group < arranged.size() &&
               !std::next_permutation(arranged[group].begin(), arranged[group].end()))
            ++group;
        if (group == arranged.size())
            return;
    }
}

NodeOrders TurnedCells::told(const NodeOrders& orders, const std::vector<Pass>& cells) const
{
    const std::vector<Pattern> from = patternsOf(cells), to = patternsOf(m_given);
    std::vector<int> number(m_groupOf.size());
    for (const std::vector<int>& group : m_groups) {
        const auto byPattern = [&group](const std::vector<Pattern>& patterns) {
            std::vector<int> sorted = group;
            std::stable_sort(sorted.begin(), sorted.end(),
                             [&](int a, int b) { return patterns[at(a)] < patterns[at(b)]; });
            return sorted;
        };
        const std::vector<int> before = byPattern(from), after = byPattern(to);
        for (std::size_t i = 0; i < group.size(); ++i)
            number[at(before[i])] = after[i];
    }
    NodeOrders made = orders;
    for (std::vector<std::int32_t>& order : made) {
        for (std::int32_t& node : order) {
            const Pass& pass = m_problem.entry(node).pass;
            if (pass.kind != PassKind::U)
                node = m_problem.itemsOf(
                    m_problem.classOf(node))[at(m_rank[at(number[at(pass.microBatch)])])];
        }
    }
    return made;
}

} // namespace pw
