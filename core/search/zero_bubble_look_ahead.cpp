// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_look_ahead.h"

#include <algorithm>
#include <limits>

namespace pw {

namespace {

/// Looking ahead over every pass costs much and pays only where the beam can become exhaustive.
constexpr int lookAheadCells = 512;

/// Where it rules out less than one in thirty, only one in sixteen partial schedules is looked at.
constexpr std::int64_t lookAheadGain = 30;
constexpr std::int64_t lookAheadSample = 16;

} // namespace

ZeroBubbleLookAhead::ZeroBubbleLookAhead(const ZeroBubbleShape& shape, const ZeroBubbleBound& bound)
    : m_shape(shape)
    , m_bound(bound)
    , m_headF(at(shape.devices()) * at(shape.microBatches()))
    , m_headB(m_headF.size())
{
}

bool ZeroBubbleLookAhead::pays() const
{
    return m_shape.devices() * m_shape.microBatches() <= lookAheadCells;
}

/// The earliest time at which memory lets F i of stage j start, given the look ahead so far.
Ticks ZeroBubbleLookAhead::forwardAfterMemory(const ZeroBubblePartial& state, int j, int i) const
{
    const ZeroBubbleStage& stage = m_shape.stage(at(j));
    const Ticks done = state.backwards[at(j)];
    const Ticks clock = state.clock[at(j)];
    const int fewest = m_bound.neededB(j, i);
    Ticks best = std::numeric_limits<Ticks>::max();
    for (Ticks b = std::max<Ticks>(fewest, done); b <= i; ++b) {
        const Ticks lastB = b > done ? m_headB[m_shape.cell(j, b - 1)] : clock;
        if (lastB >= best)
            break;
        const int needed = m_bound.neededW(j, i, static_cast<int>(b - fewest));
        const Ticks w = std::max<Ticks>(0, needed - state.weights[at(j)]);
        const Ticks work = clock + (i - state.forwards[at(j)]) * stage.duration[zbF] +
                           (b - done) * stage.duration[zbB] + w * stage.duration[zbW];
        best = std::min(best,
                        std::max(lastB + (needed == b && w > 0 ? stage.duration[zbW] : 0), work));
        if (w == 0)
            break;
    }
    return best;
}

/// Looks ahead over every pass that is left; false if some device must end at `below` or later.
bool ZeroBubbleLookAhead::staysBelow(const ZeroBubblePartial& state, Ticks below,
                                     std::int64_t& work)
{
    const int p = m_shape.devices();
    const int m = m_shape.microBatches();
    int first = m;
    for (int j = 0; j < p; ++j)
        first = std::min(first, static_cast<int>(state.backwards[at(j)]));
    work += static_cast<std::int64_t>(2) * p * (m - first);
    for (int i = first; i < m; ++i) {
        for (int j = 0; j < p; ++j) {
            const ZeroBubbleStage& stage = m_shape.stage(at(j));
            const std::size_t c = m_shape.cell(j, i);
            const int f = static_cast<int>(state.forwards[at(j)]);
            if (i < f) {
                m_headF[c] = state.forwardEnd[c];
                continue;
            }
            Ticks start = state.clock[at(j)] + (i - f) * stage.duration[zbF];
            if (j > 0)
                start = std::max(start, m_headF[m_shape.cell(j - 1, i)] + stage.fromAbove);
            if (m_bound.neededB(j, i) > 0)
                start = std::max(start, forwardAfterMemory(state, j, i));
            if (i > f)
                start = std::max(start, m_headF[c - 1]);
            m_headF[c] = start + stage.duration[zbF];
            if (m_headF[c] + m_bound.tailF(j, i) >= below)
                return false;
        }
        for (int j = p - 1; j >= 0; --j) {
            const ZeroBubbleStage& stage = m_shape.stage(at(j));
            const std::size_t c = m_shape.cell(j, i);
            const int b = static_cast<int>(state.backwards[at(j)]);
            if (i < b) {
                m_headB[c] = state.backwardEnd[c];
                continue;
            }
            const Ticks forwards = std::max<Ticks>(0, i + 1 - state.forwards[at(j)]);
            Ticks start =
                state.clock[at(j)] + (i - b) * stage.duration[zbB] + forwards * stage.duration[zbF];
            start = std::max(start, m_headF[c]);
            if (j + 1 < p)
                start = std::max(start, m_headB[m_shape.cell(j + 1, i)] + stage.fromBelow);
            if (i > b)
                start = std::max(start, m_headB[c - 1]);
            m_headB[c] = start + stage.duration[zbB];
            if (m_headB[c] + m_bound.tailB(j, i) >= below)
                return false;
        }
    }
    return true;
}

bool ZeroBubbleLookAhead::mayStayBelow(const ZeroBubblePartial& state, Ticks below,
                                       std::int64_t& work)
{
    ++m_asked;
    if (m_ruledOut * lookAheadGain < m_looked && m_asked % lookAheadSample != 0)
        return true;
    ++m_looked;
    const bool may = staysBelow(state, below, work);
    m_ruledOut += may ? 0 : 1;
    return may;
}

} // namespace pw
