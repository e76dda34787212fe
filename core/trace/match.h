// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "core/trace/records.h"

#include <span>
#include <vector>

namespace pw {

/// One recorded iteration in the form in which a simulation has its times, so that everything that
/// shows the one shows the other. The first start is 0.
///
/// Records without an entry (updates outside the order) are left out; an entry without a record has
/// start and end 0. Peaks in bytes are those of the samples, in micro-batches they are not known.
///
/// @param passes  of one iteration; of an overlapped pair the first start and the last end count
/// @param memory  of the same; may be empty
/// @error BadSchedule  a record's entry is not of the schedule, or another pass; or there is none
Result<SimResult> measuredResult(const Schedule& schedule, std::span<const RecordedPass> passes,
                                 std::span<const MemorySample> memory);

/// The same work in two timelines; times are relative to each one's first start.
struct MatchedPass
{
    Pass pass;             ///< a BW where one of the two has it split into B and W
    RankId rank{0};        ///< in the later one
    Ticks startBefore = 0; ///< of a B and W that stand for a BW the first start and the last end
    Ticks endBefore = 0;
    Ticks startAfter = 0;
    Ticks endAfter = 0;
    Ticks workBefore = 0; ///< time that the device spends on it
    Ticks workAfter = 0;
    bool split = false; ///< a BW on one side, its B and W on the other

    /// How much later it ends, and how much longer it takes.
    Ticks moved() const { return endAfter - endBefore; }
    Ticks grown() const { return workAfter - workBefore; }

    friend bool operator==(const MatchedPass&, const MatchedPass&) = default;
};

/// Two timelines pass by pass.
struct TimelineMatch
{
    std::vector<MatchedPass> matched;     ///< by rank and start of the later one
    std::vector<RecordedPass> onlyBefore; ///< passes that the later one does not have
    std::vector<RecordedPass> onlyAfter;
    Ticks makespanBefore = 0;
    Ticks makespanAfter = 0;
};

/// Matches the passes of two recorded iterations by what they are: kind, stage, route, micro-batch
/// and segment. A BW is matched with the B and W that do its work in the other one; both have to be
/// there. Of a pass that was recorded twice the first one counts.
TimelineMatch matchPasses(std::span<const RecordedPass> before,
                          std::span<const RecordedPass> after);

/// A simulation as one recorded iteration.
std::vector<RecordedPass> recordsOf(const Schedule& schedule, const SimResult& result);

} // namespace pw
