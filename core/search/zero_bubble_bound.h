// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/index.h"
#include "core/search/zero_bubble_search.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pw {

/// What holds for every order of a feasible problem: what must follow each pass, what the memory
/// limit forces, and the smallest span that is not ruled out by these.
///
/// @source  own; one-machine bound: Carlier 1982
class ZeroBubbleBound
{
public:
    /// @param problem  valid; must outlive this
    /// @complexity     O(p·m)
    explicit ZeroBubbleBound(const ZeroBubbleProblem& problem);

    /// A span that no order goes below: the largest one-machine bound with preemption over the
    /// devices.
    ///
    /// @complexity  O(p·m log m)
    Ticks span() const;

    /// When the device's F0 starts in every order; spans are counted from here.
    Ticks firstStart(int j) const { return m_firstStart[at(j)]; }

    /// Time from the end of F `i` of stage `j` until some device ends, less that device's first
    /// start.
    Ticks tailF(int j, int i) const { return m_tailF[cell(j, i)]; }

    /// The same for B.
    Ticks tailB(int j, int i) const { return m_tailB[cell(j, i)]; }

    /// How many B the memory of stage `j` needs before its F `i`.
    int neededB(int j, int i) const { return m_neededB[cell(j, i)]; }

    /// How many W it needs before F `i` when `neededB + extra` B are done. Exact for an extra of 0
    /// to 2; 0 above.
    int neededW(int j, int i, int extra) const
    {
        return extra < knownExtras ? m_neededW[cell(j, i)][at(extra)] : 0;
    }

private:
    static constexpr int knownExtras = 3;

    std::size_t cell(int j, int i) const { return at(j) * at(m_problem.microBatches) + at(i); }
    static std::int64_t timesToCover(std::int64_t amount, std::int64_t each);
    int weightsBefore(int j, int i, int backwards) const;
    Ticks headAfterMemory(int j, int i, const std::vector<Ticks>& headB) const;
    Ticks tailThroughMemory(int j, int i) const;
    void computeNeeds();
    void computeTails();
    void computeHeads(std::vector<Ticks>& headF, std::vector<Ticks>& headB) const;

    const ZeroBubbleProblem& m_problem;
    std::vector<Ticks> m_firstStart;
    std::vector<Ticks> m_tailF; // p × m, as all below
    std::vector<Ticks> m_tailB;
    std::vector<int> m_neededB;
    std::vector<std::array<int, knownExtras>> m_neededW;
};

} // namespace pw
