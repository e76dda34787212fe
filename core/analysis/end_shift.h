// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "core/sim/simulator.h"

#include <cstdint>
#include <vector>

namespace pw {

/// The entry of a schedule that holds a pass; −1 where there is none. A B finds the BW of its cell,
/// and the other way round; the pass may be of a schedule of another shape.
EntryId sameEntry(const Schedule& schedule, const Pass& pass);

/// The entries of a schedule that do the work of a pass: at most two; −1: none.
struct SameWork
{
    EntryId first;
    EntryId second; ///< the W, where a B and a W stand for a BW

    friend bool operator==(const SameWork&, const SameWork&) = default;
};

/// As `sameEntry`, but a W, too, finds the BW of its cell, and a BW finds both B and W.
SameWork sameWork(const Schedule& schedule, const Pass& pass);

/// A link of the chain that decided an end, and its part in how much later that end is.
struct EndShift
{
    EntryId entry{0};     ///< of the later timeline
    EntryId before;       ///< the same pass in the earlier one; none: it is not there
    Ticks shift = 0;      ///< how much later it ends than the link before it would have made it
    Ticks grown = 0;      ///< part of `shift`: it takes longer
    Ticks waited = 0;     ///< the rest of `shift`: it begins later behind the link before it
    bool message = false; ///< the link before is on another device
};

/// Why a timeline ends later, or sooner, than another: the shifts of all links and `other` add up
/// to `total` exactly.
struct EndShifts
{
    std::vector<EndShift> links; ///< the deciding chain of the later timeline, in time order
    Ticks total = 0;             ///< its makespan less that of the earlier one
    Ticks other = 0; ///< where the last pass is in both at most 0: before, something else ended
                     ///< last, so much later
};

/// Follows the deciding chain of a timeline and asks how much each link moved against the same pass
/// of an earlier timeline. What happens around passes that the earlier one does not have counts for
/// the next pass that it has.
EndShifts endShifts(const Schedule& before, const SimResult& beforeTimes, const Schedule& after,
                    const SimResult& afterTimes);

} // namespace pw
