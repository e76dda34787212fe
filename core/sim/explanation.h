// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/sim/proven_bound.h"
#include "core/sim/simulator.h"

#include <array>
#include <vector>

namespace pw {

/// Something in a schedule, explained in three sentences with the numbers of this schedule: what
/// it is, why it is so, and what follows.
struct Explanation
{
    Sentence title;
    std::array<Sentence, 3> sentences;
    std::vector<EntryId> entries; ///< that the sentences speak of; the first is the main one

    friend bool operator==(const Explanation&, const Explanation&) = default;
};

// All of them take a schedule with costs and the times that these give it. What a change would do
// is simulated, not guessed: O(passes) each.

/// An entry: how long it runs, why not sooner, and whether the end moves when it takes longer.
/// @pre 0 ≤ entry < entryCount()
Explanation explainEntry(const Schedule& schedule, const Costs& costs, const SimResult& result,
                         EntryId entry);

/// A device at a time: the entry that runs, or why it idles and whether the end moves when that
/// ends sooner.
/// @error BadValue  there is no such device, or the time is outside the makespan
Result<Explanation> explainAt(const Schedule& schedule, const Costs& costs, const SimResult& result,
                              DeviceId device, Ticks time);

/// The idle time of a device, or of all where it is −1: how much, where it lies, and its longest
/// stretch.
/// @error BadValue  there is no such device
Result<Explanation> explainBubble(const Schedule& schedule, const Costs& costs,
                                  const SimResult& result, DeviceId device = DeviceId::none());

/// The activations of a device, or of the one with the highest peak where it is −1: how many and
/// when, which micro-batches, and why so long.
/// @error BadValue  there is no such device
Result<Explanation> explainMemory(const Schedule& schedule, const Costs& costs,
                                  const SimResult& result, DeviceId device = DeviceId::none());

/// The makespan: what it consists of, what it cannot be less than, and what it waits for on its
/// way.
/// @param bound  of the schedule
Explanation explainMakespan(const Schedule& schedule, const Costs& costs, const SimResult& result,
                            const ProvenBound& bound);

} // namespace pw
