// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/search/v_schedule.h"

namespace pw {

/// ZB-V as a fixed order: no idle time inside a device's span for equal times and m ≥ 2p−1, any m
/// ≥ 1.
///
/// @source arXiv:2401.10241 §6; order as PyTorch's ZBV schedule runs it
VOrder zbVFixedOrder(int devices, int microBatches);

/// ZB-V built pass by pass for the given times: every round a backward and a forward on each
/// device, W into the gaps.
///
/// Tries the choices of the heuristic and keeps the best.
///
/// @param limit  most live chunk activations on a device; below 2p the idle time grows with the
/// micro-batches
/// @error MemoryLimit  the construction runs out of memory
/// @source       arXiv:2401.10241 §6 and its authors' automatic scheduler
Result<VOrder> zbVGreedyOrder(const VProblem& problem, int limit, VAim aim = VAim::Span);

/// The better of the two ZB-V that have a name: the fixed order and the greedy one, each as it is
/// and with its gaps filled.
///
/// For equal times and m ≥ 2p−1 this is the fixed order.
/// @error MemoryLimit  neither keeps the limit
Result<VOrder> zbVNamedOrder(const VProblem& problem, int limit, VAim aim = VAim::Span);

/// The best ZB-V found for the given times: the above, and where its span is the shortest but the
/// fixed order, in the same memory, ends sooner, one that is no longer in either, if one is found.
/// @error MemoryLimit  no order keeps the limit
Result<VOrder> zbVBestOrder(const VProblem& problem, int limit, VAim aim = VAim::Span);

/// Lets a device that would wait run a later pass of its order, and repeats this while the figures
/// get better.
///
/// @param order  runs without deadlock and fits the limit
/// @param limit  most live chunk activations on a device; the result keeps it
/// @return       an order whose figures are the same or better
VOrder fillGaps(const VProblem& problem, const VOrder& order, int limit, VAim aim = VAim::Span);

} // namespace pw
