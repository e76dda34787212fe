// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/ids.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pw::exec {

/// Where every rank has come to by the plan's own clock: times of an iteration that starts at 0,
/// as a simulation has them.
///
/// A rank's place is touched by its own thread only; its worker and its endpoint share it.
class PlanClock
{
public:
    explicit PlanClock(int ranks)
        : m_places(static_cast<std::size_t>(ranks))
    {
    }

    /// When the rank's last entry, and what it had to send or receive after it, has ended.
    Ticks free(RankId rank) const { return place(rank).free; }
    void setFree(RankId rank, Ticks time) { place(rank).free = time; }
    void raise(RankId rank, Ticks time) { place(rank).free = std::max(place(rank).free, time); }

private:
    struct alignas(64) Place
    {
        Ticks free = 0;
    };

    Place& place(RankId rank) { return m_places[rank.index()]; }
    const Place& place(RankId rank) const { return m_places[rank.index()]; }

    std::vector<Place> m_places;
};

} // namespace pw::exec
