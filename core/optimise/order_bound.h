// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_problem.h"
#include "core/search/one_machine.h"

#include <vector>

namespace pw {

/// What holds for every order of a problem: the earliest start of each node, the least time from
/// its end to the end of all, and the smallest objective that is not ruled out by these.
///
/// Ways through the pipeline count, the order of equal work, the passes that memory forces before a
/// forward, and the work that a device must have done before and behind a node. Of every device the
/// one-machine problem with preemption is solved. Then times are refuted by pairs of
/// nodes that fit one way only (`WindowProof`).
///
/// @source own; one-machine bound: Carlier 1982
struct OrderBound
{
    std::vector<Ticks> head; ///< by node
    std::vector<Ticks> tail; ///< by node; as `OrderTimes::tail` counts
    Ticks objective = 0;     ///< no order is better
    /// By device: its first start in every order, which spans are counted from; 0 for the makespan.
    std::vector<Ticks> offset;
    /// Why: the device whose bound it is.
    DeviceId device{0};
};

/// @complexity  O(nodes · classes + nodes · nodes of a device)
OrderBound orderBound(const OrderProblem& problem);

} // namespace pw
