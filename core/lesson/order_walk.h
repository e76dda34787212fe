// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/order_search.h"
#include "core/sim/simulator.h"

#include <cstdint>
#include <functional>

namespace pw {

/// How far a walk through all orders came.
struct OrderWalk
{
    bool finished = false; ///< all were looked at
    std::int64_t looked = 0;
};

/// Simulates every order of a space in which passes of one stage and kind run in sequence, and
/// calls with those that end. For what `findOrder` knows no bounds for: messages that wait for
/// their receiver, figures of an order other than time and memory.
///
/// Nothing better is left out: if the i-th place of a stage's kind on one device and on the next
/// have the i-th micro-batch, each still comes after what it needs, and a sender waits for no later
/// receiver than before (of the first i results one at least goes to a receiver that is i-th or
/// later).
///
/// @error BadValue  of several routes, segments or steps
Result<OrderWalk> walkOrders(const OrderSpace& space, std::int64_t mostNodes,
                             const std::function<void(const Schedule&, const SimResult&)>& take);

} // namespace pw
