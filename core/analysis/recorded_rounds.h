// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/measured_round.h"
#include "core/trace/records.h"

#include <span>
#include <vector>

namespace pw {

/// One complete iteration of a run.
struct RecordedIteration
{
    std::int32_t iteration = 0;
    Ticks makespan = 0; ///< last end less first start
    MeasuredRound times;
    // The same by entry; −1 where an entry has none.
    std::vector<Ticks> took;
    std::vector<Ticks> gap;     ///< launch gap before it, or how late it opens its device
    std::vector<Ticks> message; ///< from the end of the pass whose result came last to its start
};

/// The single times of a run, iteration by iteration, in their order. Warm-up and iterations with
/// an entry that was not recorded are left out.
///
/// What stands between two entries of a device is a message where the later one waited for it, and
/// a launch gap where all its inputs were there before. A result that was made while the device was
/// busy and came when it was not tells of neither: of its kind, nothing is taken.
///
/// @pre the records are of this schedule
/// @complexity O(n log n) for n records
std::vector<RecordedIteration> recordedIterations(const Schedule& schedule,
                                                  std::span<const RecordedPass> passes,
                                                  std::span<const RecordedMessage> messages);

} // namespace pw
