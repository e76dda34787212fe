// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_bound.h"

#include "core/search/one_machine.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pw {
namespace {

constexpr Ticks noTail = std::numeric_limits<Ticks>::min() / 4;

} // namespace

ZeroBubbleBound::ZeroBubbleBound(const ZeroBubbleProblem& problem)
    : m_problem(problem)
    , m_firstStart(at(problem.devices))
    , m_tailF(at(problem.devices) * at(problem.microBatches))
    , m_tailB(m_tailF.size())
    , m_neededB(m_tailF.size())
    , m_neededW(m_tailF.size())
{
    for (int j = 1; j < problem.devices; ++j)
        m_firstStart[at(j)] = m_firstStart[at(j - 1)] + problem.forward[at(j - 1)] +
                              problem.forwardLatency[at(j - 1)];
    computeNeeds();
    computeTails();
}

/// How often `each` must be given back to cover an amount.
std::int64_t ZeroBubbleBound::timesToCover(std::int64_t amount, std::int64_t each)
{
    return amount <= 0 || each <= 0 ? 0 : (amount + each - 1) / each;
}

/// How many W memory needs before F i when that many B are done.
int ZeroBubbleBound::weightsBefore(int j, int i, int backwards) const
{
    // Where a W gives back next to nothing, no number of them is enough; any large one says so.
    constexpr std::int64_t hopeless = 1 << 24;
    const std::int64_t held =
        (i + 1) * m_problem.forwardMemory[at(j)] + backwards * m_problem.backwardMemory[at(j)];
    const std::int64_t needed =
        timesToCover(held - m_problem.memoryLimit[at(j)], -m_problem.weightMemory[at(j)]);
    return static_cast<int>(std::min(needed, hopeless));
}

void ZeroBubbleBound::computeNeeds()
{
    for (const DeviceId j : Ids<DeviceId>(m_problem.devices)) {
        const std::int64_t f = m_problem.forwardMemory[at(j)];
        for (int i = 0; i < m_problem.microBatches; ++i) {
            const std::int64_t over = (i + 1) * f - m_problem.memoryLimit[at(j)];
            const int backwards = static_cast<int>(timesToCover(over, f));
            m_neededB[cell(j, i)] = backwards;
            for (int extra = 0; backwards > 0 && extra < knownExtras; ++extra)
                m_neededW[cell(j, i)][at(extra)] = weightsBefore(j, i, backwards + extra);
        }
    }
}

/// The earliest time at which memory lets F i start, given the earliest starts of B before it.
Ticks ZeroBubbleBound::headAfterMemory(int j, int i, const std::vector<Ticks>& headB) const
{
    const int fewest = neededB(j, i);
    if (fewest == 0)
        return 0;
    Ticks best = std::numeric_limits<Ticks>::max();
    for (int extra = 0; fewest + extra <= i; ++extra) {
        const int b = fewest + extra;
        const int w = neededW(j, i, extra);
        const Ticks lastB = headB[cell(j, b - 1)] + m_problem.backward[at(j)];
        if (lastB >= best)
            break;
        const Ticks work = m_firstStart[at(j)] + i * m_problem.forward[at(j)] +
                           b * m_problem.backward[at(j)] + w * m_problem.weight[at(j)];
        best = std::min(best, std::max(lastB + (w == b ? m_problem.weight[at(j)] : 0), work));
        if (w == 0)
            break;
    }
    return best;
}

void ZeroBubbleBound::computeHeads(std::vector<Ticks>& headF, std::vector<Ticks>& headB) const
{
    const int p = m_problem.devices;
    for (int i = 0; i < m_problem.microBatches; ++i) {
        for (int j = 0; j < p; ++j) {
            Ticks head = headAfterMemory(j, i, headB);
            if (i > 0)
                head = std::max(head, headF[cell(j, i - 1)] + m_problem.forward[at(j)]);
            if (j > 0)
                head = std::max(head, headF[cell(j - 1, i)] + m_problem.forward[at(j - 1)] +
                                          m_problem.forwardLatency[at(j - 1)]);
            headF[cell(j, i)] = head;
        }
        for (int j = p - 1; j >= 0; --j) {
            const Ticks work = m_firstStart[at(j)] + (i + 1) * m_problem.forward[at(j)] +
                               i * m_problem.backward[at(j)] +
                               weightsBefore(j, i, i) * m_problem.weight[at(j)];
            Ticks head = std::max(work, headF[cell(j, i)] + m_problem.forward[at(j)]);
            if (i > 0)
                head = std::max(head, headB[cell(j, i - 1)] + m_problem.backward[at(j)]);
            if (j + 1 < p)
                head = std::max(head, headB[cell(j + 1, i)] + m_problem.backward[at(j + 1)] +
                                          m_problem.backwardLatency[at(j)]);
            headB[cell(j, i)] = head;
        }
    }
}

/// What follows B i because some later F needs the memory that B i gives back.
Ticks ZeroBubbleBound::tailThroughMemory(int j, int i) const
{
    const std::int64_t f = m_problem.forwardMemory[at(j)];
    const std::int64_t held = f > 0 ? m_problem.memoryLimit[at(j)] / f : m_problem.microBatches;
    if (i + held >= m_problem.microBatches)
        return noTail;
    const int k = i + static_cast<int>(held);
    // its W or one more B must come between where that F also needs every W so far
    const bool oneMore = neededW(j, k, 0) > i;
    const Ticks between =
        oneMore ? std::min(m_problem.backward[at(j)], m_problem.weight[at(j)]) : 0;
    return between + m_problem.forward[at(j)] + m_tailF[cell(j, k)];
}

void ZeroBubbleBound::computeTails()
{
    const int p = m_problem.devices;
    const int m = m_problem.microBatches;
    for (int i = m - 1; i >= 0; --i) {
        for (int j = 0; j < p; ++j) {
            Ticks tail = (m - 1 - i) * m_problem.backward[at(j)] +
                         (m - i) * m_problem.weight[at(j)] - m_firstStart[at(j)];
            tail = std::max(tail, tailThroughMemory(j, i));
            if (i + 1 < m)
                tail = std::max(tail, m_problem.backward[at(j)] + m_tailB[cell(j, i + 1)]);
            if (j > 0)
                tail = std::max(tail, m_problem.backwardLatency[at(j - 1)] +
                                          m_problem.backward[at(j - 1)] + m_tailB[cell(j - 1, i)]);
            m_tailB[cell(j, i)] = tail;
        }
        for (int j = p - 1; j >= 0; --j) {
            Ticks tail = (m - 1 - i) * m_problem.forward[at(j)] +
                         (m - i) * (m_problem.backward[at(j)] + m_problem.weight[at(j)]) -
                         m_firstStart[at(j)];
            tail = std::max(tail, m_problem.backward[at(j)] + m_tailB[cell(j, i)]);
            if (i + 1 < m)
                tail = std::max(tail, m_problem.forward[at(j)] + m_tailF[cell(j, i + 1)]);
            if (j + 1 < p)
                tail = std::max(tail, m_problem.forwardLatency[at(j)] +
                                          m_problem.forward[at(j + 1)] + m_tailF[cell(j + 1, i)]);
            m_tailF[cell(j, i)] = tail;
        }
    }
}

Ticks ZeroBubbleBound::span() const
{
    std::vector<Ticks> headF(m_tailF.size());
    std::vector<Ticks> headB(m_tailF.size());
    computeHeads(headF, headB);
    Ticks bound = 0;
    std::vector<MachineJob> jobs;
    for (const DeviceId j : Ids<DeviceId>(m_problem.devices)) {
        jobs.clear();
        for (int i = 0; i < m_problem.microBatches; ++i) {
            const std::size_t c = cell(j, i);
            const Ticks laterW = (m_problem.microBatches - 1 - i) * m_problem.weight[at(j)];
            jobs.push_back({headF[c], m_problem.forward[at(j)], m_tailF[c]});
            jobs.push_back({headB[c], m_problem.backward[at(j)], m_tailB[c]});
            jobs.push_back({headB[c] + m_problem.backward[at(j)], m_problem.weight[at(j)],
                            laterW - m_firstStart[at(j)]});
        }
        bound = std::max(bound, onePreemptiveMachine(jobs, 0));
    }
    return bound;
}

} // namespace pw
