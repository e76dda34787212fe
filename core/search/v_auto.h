// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/search/v_schedule.h"

#include <optional>
#include <vector>

namespace pw {

/// The least limit that `vAutoOrder` can keep: both chunks of one micro-batch.
constexpr int vSmallestLimit = 2;

/// The best V-shaped order found within a memory limit, for the times given.
///
/// Tries building blocks of every offset and every split of the devices, the known blocks, the
/// fixed ZB-V and the greedy one, rewrites their ramps, fills gaps at the real times and keeps the
/// smallest span. Deterministic. Equal times and no latency: the idle time in the span is 6p−1−3k
/// passes for k ≤ 2p−2, 3 for 2p−1 and 0 for 2p, from k ≥ 2⌊(p+4)/3⌋ on; below that it grows with
/// the number of micro-batches.
///
/// @param limit       most live chunk activations on a device, k; two make one micro-batch
/// @error Cancelled   `stopAsked` ended the search before there was an order
/// @error MemoryLimit the limit is below `vSmallestLimit`
/// @source            arXiv:2405.15362 appendix A; general offsets, longer intervals and gap
/// filling are own
Result<VOrder> vAutoOrder(const VProblem& problem, int limit, VAim aim = VAim::Span);

/// An order that is no longer than others in both times: the first that the blocks of `vAutoOrder`
/// lead to, none where they lead to none.
///
/// @param known    what `zbVNamedOrder` gives for the problem
/// @param ceiling  its span and makespan are the most
std::optional<VOrder> vOrderWithin(const VProblem& problem, int limit, const VOrder& known,
                                   const VFigures& ceiling);

/// Least idle time in the span for equal times of one unit without latency, in units.
///
/// @source arXiv:2405.15362 appendix A
Ticks vBubbleBound(int devices, int limit);

/// Rewrites warm-up and cool-down of a repeated block into the shapes that fit a peak of `limit`.
///
/// @param repeated  at least 2p micro-batches
/// @return          the first `microBatches` of them; nothing where the shapes do not fit the block
/// @source          arXiv:2405.15362 appendix A
std::optional<VOrder> vOrderWithRamps(const VOrder& repeated, int microBatches, int limit);

} // namespace pw
