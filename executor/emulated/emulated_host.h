// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/worker.h"

#include <map>
#include <vector>

namespace pw::exec {

/// The link between an emulated device and its host: an engine in either direction that does one
/// copy after another, each in its modelled time, by the plan's clock.
class EmulatedHost
{
public:
    /// @param plan  outlives the object
    explicit EmulatedHost(const RunPlan& plan)
        : m_plan(plan)
    {
    }

    /// @param base  0 of the plan's clock on the run's
    void beginIteration(Ticks base);

    /// A copy there or back that is asked for at a moment; an activation comes back only once it is
    /// there.
    void stow(const Pass& cell, Ticks asked);
    void fetch(const Pass& cell, Ticks asked);
    /// When what a pass needs is back; 0 where it never left.
    Ticks arrival(const Pass& pass);

    Bytes bytesOf(const Pass& cell) const;
    /// On the run's clock.
    std::vector<Copied> takeCopies();

private:
    struct Ways
    {
        Ticks there = 0; ///< end
        Ticks back = 0;  ///< end
    };

    void note(const Pass& cell, bool back, Ticks start, Ticks end);

    const RunPlan& m_plan;
    Ticks m_base = 0;
    Ticks m_thereFree = 0, m_backFree = 0;
    std::map<Pass, Ways> m_ways; ///< by F
    std::vector<Copied> m_copied;
};

} // namespace pw::exec
