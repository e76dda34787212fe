// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/stage_holding.h"
#include "core/analysis/what_if.h"
#include "core/trace/align_clocks.h"
#include "core/trace/recover.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace pw {

/// How much the passes of a kind differ from their mean, and steps among themselves.
struct PassNoise
{
    /// Times of passes as parts of the mean of their kind and stage, by kind, step by step; those
    /// that all passes of a step have in common are in `steps`.
    std::array<std::vector<double>, passKindCount> passes;
    std::vector<double> steps; ///< work of a step as a part of the mean

    friend bool operator==(const PassNoise&, const PassNoise&) = default;
};

/// A step that was measured, and everything that advice on it is made from.
struct AdviceSource
{
    std::string name; ///< of a file, a run
    WhatIfBase base;
    Ticks step = 0;            ///< whole, the median of those that count
    Ticks span = 0;            ///< of it, from the first pass to the last end
    std::size_t steps = 0;     ///< that count
    double stepSpread = 0;     ///< robust deviation of the steps, as a part of the median
    PassNoise noise{};         ///< empty: nothing was measured
    bool profiled = false;     ///< by a profiler, which makes passes longer
    double computing = 0;      ///< part of all ranks' time in the step
    Sentence why{};            ///< why it takes so long; without capital and full stop
    std::vector<int> layers{}; ///< of every stage; empty: not known
    /// Stages whose backward computed its forward again when it was measured.
    std::vector<int> recomputed{};
    Recomputation recomputation{}; ///< what that takes and keeps, of the model where one is known
    Bytes cap = 0;                 ///< of a device, by its hardware; 0: not known
    /// What passes may take instead, where it was not measured which stage takes what.
    std::vector<Costs> otherCosts{};
    std::vector<Sentence> notes{}; ///< what was not measured; without full stop

    /// Whether bytes of devices are known: peaks were measured, or a model tells them.
    bool knowsMemory() const;
};

/// The step of a trace; of several replicas the one that is shown.
///
/// @param pipelines  of all replicas
/// @error as of `fitTrace` and `whatIfBase`
Result<AdviceSource> adviceSource(const Trace& trace, std::span<const AlignedPipeline> pipelines,
                                  std::size_t shown);

/// The step of one pipeline whose passes were measured, from what its what-ifs start from.
AdviceSource adviceSource(const RecoveredPipeline& pipeline, WhatIfBase base);

/// The step of a project with costs: nothing was measured, so only what is unknown of a backward
/// makes an interval.
/// @error as of `whatIfBase`
Result<AdviceSource> adviceSource(const Project& project, const std::string& name);

/// Gives a source the layers of its stages and what is known of recompute, where a project says
/// what model its costs are of.
void setModel(AdviceSource& source, const Project& project);

/// Says which stages computed their forward again in the backward when they were measured, so that
/// only the rest of a BW is B and W.
/// @error BadValue  a stage that is not there
Result<void> setRecomputed(AdviceSource& source, std::vector<int> stages);

/// B and W out of BW: what of it is no forward that is computed again is W by `weightPart`, and
/// both are longer by the part `longer` than in one. For bases that have measured no B and W.
void cutBackwards(const AdviceSource& source, double weightPart, double longer,
                  const Recomputation& recomputation, Costs& costs);

/// Why a step takes so long, from its costs alone; without capital and full stop.
Sentence whyOf(const WhatIfBase& base);

/// The part of all ranks' time in a step that they compute, by the costs.
double computingOf(const WhatIfBase& base, Ticks step);

/// Gives a source the layers of its stages.
/// @error as of `LayerCosts::make`
Result<void> setLayers(AdviceSource& source, std::vector<int> layers);

} // namespace pw
