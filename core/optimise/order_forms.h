// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <string>

namespace pw {

/// How backwards stand in an order.
enum class BackwardForm : std::uint8_t
{
    AsGiven, ///< every cell as the given order has it
    Split,   ///< B and W everywhere
    Fused    ///< BW everywhere
};

/// Whether an order has a BW, or a B, outside of pairs.
bool hasFused(const Schedule& schedule);
bool hasSplit(const Schedule& schedule);
bool hasPairs(const Schedule& schedule);

/// Whether two orders of one shape have the same passes, in the same pairs.
bool samePasses(const Schedule& a, const Schedule& b);

/// Whether two orders of one shape recompute the same cells.
bool sameRecomputation(const Schedule& a, const Schedule& b);

/// The same order with every BW as B and W one after the other, or with every B and W as a BW in
/// the place of the B.
/// @error BadValue  an overlapped pair, which has no other form
Result<Schedule> inForm(const Schedule& schedule, BackwardForm form);

/// Whether B and W after each other never take longer than BW.
bool splitCostsNothing(const Costs& costs);

/// What an order does in another way than the one it came from, in a sentence: "moves 7 W of device
/// 2 behind F9, 2 F of device 0 before B3; 9 of 96 passes in all". Empty where they are equal.
///
/// Passes that keep their order among each other count as unmoved, as many as can be; groups with
/// the most passes are told first.
///
/// @pre both have the same passes
Sentence describeMoves(const Schedule& before, const Schedule& after);

} // namespace pw
