// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pw {

/// All orders of a pipeline, to be asked whether one of them is good enough.
struct OrderSpace
{
    PipelineSpec spec; ///< one step, no updates, early messages
    Costs costs;       ///< the same for all micro-batches of a route; a link that never changes
    std::vector<PassKind> kinds; ///< F with BW, or with B and W; R may be added
    DeviceOrders fixed;          ///< first entries of each device; empty: none
};

/// What a search has found.
struct OrderAnswer
{
    bool finished = false;             ///< the search came to its end: "none" is then a proof
    std::optional<DeviceOrders> order; ///< one that is good enough; runs and holds the limits
    std::int64_t nodes = 0;            ///< choices that were looked at
};

/// Whether an order ends by a time and holds no more than a cap on any device.
///
/// Goes through all orders by time, with a bound from heads, tails and the work of each device.
/// Left out is what cannot matter: micro-batches of a route are alike, so those of one kind of pass
/// run in sequence; no pass starts later than its place and its data allow; nobody waits where a
/// pass that frees memory fits before anything else can come; a state that was refuted is not
/// looked at again.
///
/// @param latest    makespan at most, ticks
/// @param cap       activation at most on every device
/// @param mostNodes the search ends unfinished there
/// @error BadValue  the space is none that can be searched, and why; or the fixed passes are not
///                  the first ones of their kind in sequence
Result<OrderAnswer> findOrder(const OrderSpace& space, Ticks latest, Share cap,
                              std::int64_t mostNodes);

/// A makespan that some order does not exceed: one micro-batch after the other.
Ticks serialTime(const OrderSpace& space);

} // namespace pw
