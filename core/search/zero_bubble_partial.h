// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/index.h"
#include "core/search/zero_bubble_bound.h"
#include "core/search/zero_bubble_order.h"

#include <vector>

namespace pw {

/// A partial schedule of a Zero Bubble problem: ends of passes and counts, in words of others.
struct ZeroBubblePartial
{
    Ticks* forwardEnd;  ///< p × m, valid below the counts
    Ticks* backwardEnd; ///< p × m
    Ticks* clock;       ///< p, as all below
    Ticks* forwards;
    Ticks* backwards;
    Ticks* weights;
};

/// What a stage's passes take and hold.
struct ZeroBubbleStage
{
    Ticks duration[3];     ///< by ZeroBubbleKind
    std::int64_t delta[3]; ///< memory, by ZeroBubbleKind
    std::int64_t limit = 0;
    Ticks fromAbove = 0; ///< message time of F's input
    Ticks fromBelow = 0; ///< message time of B's input
    Ticks firstStart = 0;
};

/// The shape of partial schedules: where in its words one has what, and what their stages take.
class ZeroBubbleShape
{
public:
    ZeroBubbleShape(const ZeroBubbleProblem& problem, const ZeroBubbleBound& bound);

    int devices() const { return m_devices; }
    int microBatches() const { return m_microBatches; }
    const ZeroBubbleStage& stage(std::size_t device) const { return m_stages[device]; }
    std::size_t cell(int j, Ticks i) const { return at(j) * at(m_microBatches) + at(i); }
    /// Words of a partial schedule.
    std::size_t words() const { return 2 * at(m_devices) * at(m_microBatches) + 4 * at(m_devices); }
    ZeroBubblePartial view(Ticks* words) const;
    ZeroBubblePartial view(const Ticks* words) const { return view(const_cast<Ticks*>(words)); }

    /// Appends a pass.
    void apply(const ZeroBubblePartial& state, DeviceId device, int kind, Ticks start) const;
    /// Takes the last pass back. Its end stays in the tables, above the counts.
    void revert(const ZeroBubblePartial& state, DeviceId device, int kind, Ticks clock) const;

private:
    int m_devices;
    int m_microBatches;
    std::vector<ZeroBubbleStage> m_stages;
};

inline ZeroBubblePartial ZeroBubbleShape::view(Ticks* words) const
{
    const std::size_t p = at(m_devices);
    const std::size_t cells = p * at(m_microBatches);
    Ticks* const clock = words + 2 * cells;
    return {words, words + cells, clock, clock + p, clock + 2 * p, clock + 3 * p};
}

inline void ZeroBubbleShape::apply(const ZeroBubblePartial& state, DeviceId device, int kind,
                                   Ticks start) const
{
    const std::size_t j = at(device);
    const Ticks end = start + m_stages[j].duration[kind];
    state.clock[j] = end;
    if (kind == zbF)
        state.forwardEnd[cell(device, state.forwards[j]++)] = end;
    else if (kind == zbB)
        state.backwardEnd[cell(device, state.backwards[j]++)] = end;
    else
        ++state.weights[j];
}

inline void ZeroBubbleShape::revert(const ZeroBubblePartial& state, DeviceId device, int kind,
                                    Ticks clock) const
{
    const std::size_t j = at(device);
    state.clock[j] = clock;
    --(kind == zbF ? state.forwards : kind == zbB ? state.backwards : state.weights)[j];
}

} // namespace pw
