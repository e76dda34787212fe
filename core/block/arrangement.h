// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/block/retention.h"
#include "core/model/building_block.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

#include <span>
#include <vector>

namespace pw {

/// A block and the number of micro-batches that it is repeated for.
struct BlockRun
{
    BuildingBlock block;
    int microBatches = 1; ///< at least 1; the last block may be part of a group

    friend bool operator==(const BlockRun&, const BlockRun&) = default;
};

/// Where a run begins in an arrangement.
struct RunPlace
{
    Ticks start = 0; ///< time of offset 0 of its first block, as repeated
    int firstMicroBatch = 0;

    friend bool operator==(const RunPlace&, const RunPlace&) = default;
};

/// The passes of repeated blocks with their times.
///
/// Passes of a device do not overlap, and each starts after everything that it waits for; so the
/// order by start runs.
struct Arrangement
{
    PipelineSpec spec;
    /// By device, sorted by start; micro-batches count through.
    std::vector<std::vector<BlockPass>> devices;
    std::vector<RunPlace> runs; ///< in sequence

    friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

/// Repeats blocks one after another, each for its micro-batches.
///
/// A run's first block comes one interval after the last one before it, and by the smallest further
/// shift so that no two passes collide.
///
/// @param runs        at least one; all of the same devices, placements and segments
/// @error BadValue, BadSchedule  a block that `check` refuses, that collides, or that does not fit
///                    the first one; with several runs the message says which
/// @error TooLarge    more passes than a schedule may have, or times beyond 64 bits
Result<Arrangement> repeat(std::span<const BlockRun> runs);
Result<Arrangement> repeat(const BuildingBlock& block, int microBatches);

/// For each device its passes in order.
DeviceOrders ordersOf(const Arrangement& arrangement);

/// The order as a schedule. @error as `Schedule::make`
Result<Schedule> scheduleOf(const Arrangement& arrangement);

/// The times that the passes are drawn with, as a simulation of `scheduleOf` would give them; the
/// first start is 0, peaks are not filled in.
SimResult timesOf(const Arrangement& arrangement);

/// Costs under which every pass takes the time that it was drawn with; no message time, shares by
/// `keep`.
Costs costsOf(const Arrangement& arrangement, const Retention& keep = {});

/// Removes idle time and keeps each device's order: every pass starts as early as its device and
/// what it waits for allow. Never lengthens. The earliest start becomes 0.
Result<Arrangement> squeeze(const Arrangement& arrangement);

/// Most activation alive at once, by device; follows from the order alone.
std::vector<Share> peaksOf(const Arrangement& arrangement, const Retention& keep = {});

/// What an arrangement is judged by, with the times that it has.
struct ArrangementFigures
{
    Bubble spanBubble; ///< of the device with the longest span
    Bubble wallBubble;
    Ticks makespan = 0;
    std::vector<Share> peaks; ///< activation by device

    Share peak() const;

    friend bool operator==(const ArrangementFigures& a, const ArrangementFigures& b)
    {
        return a.spanBubble.idle == b.spanBubble.idle && a.wallBubble.idle == b.wallBubble.idle &&
               a.makespan == b.makespan && a.peaks == b.peaks;
    }
};

/// Bubbles, makespan and peaks of an arrangement as it stands.
ArrangementFigures figuresOf(const Arrangement& arrangement, const Retention& keep = {});

} // namespace pw
