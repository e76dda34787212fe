// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/stretches.h"

#include <cstdint>
#include <vector>

namespace pw {

/// What becomes of a stretch of time on lanes that work beside each other, a device or a rank each:
/// a lane that is idle while another works waits for it, or has less to do; idle time in which none
/// works lies outside of them all, in links, hosts and launches.
struct IdleShare
{
    TimeStretch stretch;
    std::int64_t lanes = 0;
    Ticks busy = 0;      ///< summed over the lanes
    Ticks noneWorks = 0; ///< of the stretch; not summed

    /// What the others are parts of.
    Ticks whole() const { return (stretch.end - stretch.start) * lanes; }
    Ticks idle() const { return whole() - busy; }
    /// Of `idle`: summed over the lanes.
    Ticks idleTogether() const { return noneWorks * lanes; }
    Ticks idleBesideWork() const { return idle() - idleTogether(); }

    friend bool operator==(const IdleShare&, const IdleShare&) = default;
};

/// Adds lanes up, one at a time.
class IdleSharing
{
public:
    explicit IdleSharing(TimeStretch stretch);

    /// What the next lane does, in any order and overlapping as it may; what reaches out of the
    /// stretch is cut. @complexity O(n log n)
    void addLane(std::vector<TimeStretch> work);
    IdleShare share() const;

private:
    IdleShare m_share;
    std::vector<TimeStretch> m_works; ///< of any lane, joined lane by lane
};

} // namespace pw
