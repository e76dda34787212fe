// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

#include <vector>

namespace pw::families {

/// How one device of a `WalkPlan` goes through its units.
struct DeviceWalk
{
    int warmUp = 0;      ///< forwards before the first pair of a forward and a backward
    int weightDelay = 0; ///< with a split backward: W stands after the B this many units later
    /// Of the device's pairs against those of device 0, in the building block.
    Ticks blockStart = 0;
};

/// A schedule in which every device runs warm-up forwards, then a forward and a backward in turn,
/// then the rest of the backwards, over numbered units. 1F1B, its interleaved and its
/// sequence-level forms are walks.
///
/// Stage s is on device s mod p. An *item* is a micro-batch, or a segment of one; a *unit* is an
/// item on a chunk. Units are numbered in groups of items: for each group one chunk after the
/// other, forwards from the first chunk and the first segment, backwards from the last ones. The
/// last group may be shorter. @source arXiv:2104.04473 §2.2
struct WalkPlan
{
    int devices = 1;
    int chunks = 1;
    int microBatches = 1;
    int segments = 1;
    int group = 1;      ///< items in a group; 1 ≤ group ≤ microBatches·segments
    bool split = false; ///< B and W instead of BW
    /// Forward and backward of the steady state run as one; not with `split`.
    bool overlapped = false;
    std::vector<DeviceWalk> walks; ///< by device
};

/// The orders of a plan. O(passes).
DeviceOrders ordersOf(const WalkPlan& plan);

/// The steady state of a plan as a building block of one group of items, or of one micro-batch
/// where it has one chunk.
///
/// Every pass takes 1, BW takes 2; pairs follow at intervals of 3; the first pass is at 0.
/// @pre a group is whole micro-batches, unless there is one chunk
/// @error BadValue  the plan has overlapped pairs
Result<BuildingBlock> blockOf(const WalkPlan& plan);

/// Checks the group of an interleaved schedule: at least `least`, or all micro-batches where those
/// are fewer, and the last group empty or at least `least`. @source Megatron-LM,
/// `microbatch_group_size_per_vp_stage`
///
/// @error BadValue  names the group, or what the micro-batches leave in the last one
Result<void> checkGroup(int microBatches, int group, int least);

/// Checks that a group of several chunks has the `least` micro-batches after which it comes round
/// to its next chunk in time: one that has fewer waits there, and so has no block that repeats.
///
/// @error BadValue  names the micro-batches and how many a block needs
Result<void> checkComesRound(const WalkPlan& plan, int least);

/// Micro-batches of a group where none are given: p, or the next number that leaves a last group
/// which `checkGroup` takes.
int usualGroup(const FamilyOptions& options, int least);

/// The group for closed forms, at most m.
double groupIn(const ClosedFormInput& in, const Parameter& group);

} // namespace pw::families
