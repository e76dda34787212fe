// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/noise/noise.h"

#include <functional>
#include <vector>

namespace pw {

/// A training whose micro-batches may be of any size, on links that others use, too.
///
/// Times are of one sample on one stage; a pass over b samples takes `fixed` + b times that.
struct GroupingProblem
{
    int devices = 8;
    int samples = 128;  ///< of one optimizer step
    Ticks forward = 0;  ///< F of one sample
    Ticks backward = 0; ///< BW of one sample
    Ticks fixed = 0;    ///< of every pass, whatever its size: launches, kernels that stay small
    Ticks latency = 0;  ///< of every message
    Ticks message = 0;  ///< of one sample over a link at full speed, beside the latency
    int held = 16;      ///< samples whose activations a device can hold
    int mostGroup = 16; ///< largest k that is tried
    /// How all links change over time; used up, its last phase stays.
    std::vector<LinkPhase> trace;
    /// p·p, one link's own trace in the place of `trace`; empty: none has one.
    std::vector<std::vector<LinkPhase>> linkTraces;
    NoiseModel noise; ///< spreads and factors of every iteration
};

/// k forwards and k backwards in turn over micro-batches of one size.
struct GroupingPair
{
    int group = 1;      ///< k
    int microBatch = 1; ///< samples
    int microBatches = 1;

    friend bool operator==(const GroupingPair&, const GroupingPair&) = default;
};

/// For each k that divides the number of micro-batches the micro-batch, of those whose activations
/// fit, that is the fastest on links at full speed: min(k·p, m) of them are open on the first
/// device. The larger k, the smaller the micro-batch must be; k = 1 is 1F1B as one would set it up.
///
/// @return          by k, k = 1 first
/// @error BadValue  a count below 1, a time below 0
/// @error MemoryLimit  not even micro-batches of one sample fit
/// @source          arXiv:2303.01675 (pairs on the memory limit; of its search only the abstract
///                  was read)
Result<std::vector<GroupingPair>> groupingPairs(const GroupingProblem& problem);

/// An iteration as it was run.
struct AdaptedIteration
{
    Ticks start = 0;
    Ticks time = 0;
    int pair = 0;        ///< index into the pairs
    double slowdown = 1; ///< mean of the links over the iteration
};

/// A training with one choice of pairs.
struct AdaptedRun
{
    Ticks total = 0;
    std::vector<AdaptedIteration> iterations;
    int switches = 0;
};

/// Every fixed pair, and the tuner that switches between them, over the same network.
struct AdaptComparison
{
    std::vector<GroupingPair> pairs;
    std::vector<AdaptedRun> fixed; ///< by pair; the first is 1F1B
    AdaptedRun adaptive;
};

/// Runs every fixed pair and the tuner for a number of iterations in the simulator.
///
/// The tuner begins with 1F1B. Of each iteration it takes the mean slowdown of each link and
/// simulates each pair on links that stay so; behind the first one, and then every `every`, it goes
/// on as `GroupingTuner` says. Measuring and switching take no time.
///
/// @error as of `groupingPairs`
Result<AdaptComparison> compareGroupings(const GroupingProblem& problem, int iterations, int every,
                                         std::uint64_t seed,
                                         const std::function<bool()>& stopped = {});

} // namespace pw
