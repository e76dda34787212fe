// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pw::app {

/// What a training of the study of a delay runs with: each of these for every optimizer.
enum class DelayCase
{
    Flushed,  ///< no gradient is old
    Delayed,  ///< every gradient is one step old
    Corrected ///< the same, with `Optimizer::delayCorrection`
};
constexpr int delayCases = 3;

/// A number over the seeds.
struct OverSeeds
{
    double mean = 0;
    double deviation = 0; ///< of one seed from the mean; with one seed 0, which says nothing
    std::size_t seeds = 0;

    static OverSeeds of(const std::vector<double>& numbers);
};

/// Trainings that differ by their seed only.
struct DelayCurves
{
    std::vector<std::vector<double>> losses; ///< by seed, then step
    std::vector<std::int64_t> runs;          ///< in the store, by seed

    /// The mean loss of the last quarter of the steps of each seed.
    std::vector<double> ends() const;
};

/// One optimizer's three kinds of training.
struct DelayedOptimizer
{
    std::string name;
    std::array<DelayCurves, delayCases> curves;

    const DelayCurves& of(DelayCase which) const { return curves[static_cast<std::size_t>(which)]; }
    DelayCurves& of(DelayCase which) { return curves[static_cast<std::size_t>(which)]; }
    OverSeeds end(DelayCase which) const { return OverSeeds::of(of(which).ends()); }
    /// How much more is lost at the end than without a delay, seed by seed.
    OverSeeds gap(DelayCase which) const;
};

/// What a paper says, beside what came out.
struct DelayClaim
{
    enum class Verdict
    {
        Held,
        NotHeld,
        Undecided ///< the seeds differ by more than what it is about, or there is one
    };
    std::string source; ///< "arXiv:2006.09503"
    std::string claim;
    std::string here;
    Verdict verdict = Verdict::Undecided;
};
std::string_view name(DelayClaim::Verdict verdict);

/// The optimizers that the claims are about, by their names in the study.
inline constexpr const char* delayAdamW = "AdamW";
inline constexpr const char* delayMuon = "Muon";

/// @param studied  with `delayAdamW` and `delayMuon` among them
std::vector<DelayClaim> delayClaims(const std::vector<DelayedOptimizer>& studied);

/// The table of losses and gaps, and the claims.
std::string delayText(const std::vector<DelayedOptimizer>& studied, const Screen& screen);
/// All of it with curves, their bands and the numbers of the runs.
std::string delayJson(const std::vector<DelayedOptimizer>& studied, double correction);

} // namespace pw::app
