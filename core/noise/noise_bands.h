// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/noise/noise.h"

#include <optional>
#include <vector>

namespace pw {

/// What nine of ten runs stay between, and the run in the middle.
struct NoiseBand
{
    static constexpr double lowPart = 0.05, highPart = 0.95;

    double low = 0, middle = 0, high = 0;

    friend bool operator==(const NoiseBand&, const NoiseBand&) = default;
};

/// How much is sampled.
struct NoiseBandsAsked
{
    int samples = 400;      ///< runs with all their times
    int makespans = 10'000; ///< runs for the makespan alone
    int points = 300;       ///< times at which memory is looked at
    std::uint64_t seed = 1;
};

/// Quantiles of what charts show of a schedule, over many runs with times of their own.
///
/// Each device and each time is taken by itself: a curve along the upper edge of a band is the
/// curve of no run.
struct NoiseBands
{
    NoiseSamples makespans;
    std::vector<NoiseBand> wall; ///< wall bubble by device, 0 … 1
    std::vector<NoiseBand> span; ///< span bubble by device, 0 … 1
    std::vector<Ticks> times;    ///< where memory was looked at: evenly, from 0 on
    bool bytes = false;          ///< memory is in bytes; else activation in micro-batches
    /// By device, then by time; with what lies there all the time, as `memoryCurve`.
    std::vector<std::vector<NoiseBand>> memory;
};

/// @param stopped  may be empty; true ends early
/// @error          as of `NoisyRuns::make`; Cancelled  where it was stopped
Result<NoiseBands> noiseBands(const Schedule& schedule, const Costs& costs, const NoiseModel& model,
                              const NoiseBandsAsked& asked,
                              const std::function<bool()>& stopped = {});

} // namespace pw
