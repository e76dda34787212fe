// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <vector>

namespace pw {

// The order of passes that Megatron-LM is told of, which three numbers decide. Which layers a stage
// holds: megatron_layout.h.

/// An entry of Megatron's order.
struct MegatronPass
{
    bool forward = true;
    int chunk = 0;
    int microBatch = 0;

    friend bool operator==(const MegatronPass&, const MegatronPass&) = default;
};

/// The order of a rank. @source Megatron-LM, core/pipeline_parallel/schedules.py
///
/// Groups of `group` micro-batches, in each for every chunk every micro-batch; backward with the
/// chunks reversed; warm-up of P−r−1 forwards with one chunk, else 2(P−r−1) + (V−1)·group, and one
/// more where it overlaps the experts' exchanges of a forward with a backward.
std::vector<MegatronPass> megatronOrder(int rank, int ranks, int chunks, int microBatches,
                                        int group, bool overlap = false);

/// Whether Megatron takes a group for several chunks: from the ranks to all micro-batches, with a
/// rest of no micro-batch or of at least as many as ranks.
bool isMegatronGroup(int ranks, int microBatches, int group);

/// The groups that an order is compared with, ascending: all that Megatron takes up to 256 above
/// the ranks, and beyond them those without a rest, all micro-batches among them.
std::vector<int> megatronGroups(int ranks, int microBatches);

/// The nearest order that Megatron can be told.
struct MegatronFit
{
    int chunks = 1;             ///< V
    int group = 1;              ///< micro-batches of a group, g
    bool overlap = false;       ///< --overlap-moe-expert-parallel-comm
    std::int64_t apart = 0;     ///< passes that are elsewhere, over all ranks; 0: the same order
    std::int64_t splitOnes = 0; ///< W passes, which Megatron's order does not have
};

/// Compares the order of a schedule with those of `megatronGroups` and of the group that it begins
/// with, with and without overlap.
///
/// @error BadValue  stage k is not on device k mod p, there are segments, two routes, steps,
/// updates or recompute passes, or there are chunks and Megatron takes no group of so many
/// micro-batches
Result<MegatronFit> fitMegatron(const Schedule& schedule);

} // namespace pw
