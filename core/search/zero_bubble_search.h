// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/model/pass.h"

#include <cstdint>
#include <vector>

namespace pw {

/// What the zero-bubble search schedules: one chunk a device, so stage = device, backward split
/// into B and W.
///
/// Memory is counted in any unit, the same for deltas and limit of a stage: bytes, or parts of a
/// micro-batch.
struct ZeroBubbleProblem
{
    int devices = 0;      ///< p, at least 1
    int microBatches = 0; ///< m, at least 1

    std::vector<Ticks> forward;  ///< time of F a stage, p entries, at least 0
    std::vector<Ticks> backward; ///< time of B a stage, p entries, at least 0
    std::vector<Ticks> weight;   ///< time of W a stage, p entries, at least 0

    std::vector<Ticks> forwardLatency;  ///< message time stage j → j+1, p−1 entries, at least 0
    std::vector<Ticks> backwardLatency; ///< message time stage j+1 → j, p−1 entries, at least 0

    std::vector<std::int64_t> forwardMemory;  ///< what F adds, p entries, at least 0
    std::vector<std::int64_t> backwardMemory; ///< what B adds, at least −forwardMemory
    std::vector<std::int64_t> weightMemory;   ///< what W adds; the three sum to 0
    std::vector<std::int64_t> memoryLimit;    ///< the most that may be held at any time, p entries
};

/// How long and how the search may look.
struct ZeroBubbleOptions
{
    /// Wall time after which the best schedule so far is returned. The search is also limited in
    /// work, so that two machines agree as long as neither needs this long. At or below 0: the
    /// published heuristic only.
    Ticks timeLimit = 1'000 * ticksPerMs;
};

/// A schedule found for a `ZeroBubbleProblem`.
struct ZeroBubbleSchedule
{
    std::vector<std::vector<Pass>> order; ///< for each device its 3m passes
    Ticks span = 0;                       ///< max over devices of last end − first start
    /// Span of the published heuristic; of a plain greedy where that finds no schedule.
    Ticks heuristicSpan = 0;
    Ticks lowerBound = 0;  ///< proven: no order within the memory limit has a smaller span
    bool timedOut = false; ///< stopped by the time limit: another machine may find another order
};

/// Orders F, B and W of every device for the smallest span under the memory limit.
///
/// Runs the published heuristic, then improves its order by a search of our own, unless a lower
/// bound proves that nothing is left to gain. Micro-batches keep their order within a kind of pass.
/// Without the time limit striking, the same problem always gives the same order. `stopAsked` ends
/// the search as the time limit does.
///
/// @error BadValue     an array has the wrong length or a value is out of its range; the message
///                     names it
/// @error TooLarge     more than 65,536 devices
/// @error Cancelled    `stopAsked` ended the search before there was an order
/// @error MemoryLimit  no order fits on a stage; the message gives the smallest limit that works
///                     there
/// @source             heuristic: arXiv:2401.10241 §3.1; improvement and bounds: own
Result<ZeroBubbleSchedule> searchZeroBubble(const ZeroBubbleProblem& problem,
                                            const ZeroBubbleOptions& options = {});

} // namespace pw
