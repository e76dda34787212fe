// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/fit.h"
#include "core/analysis/pass_edges.h"
#include "core/cost/carry_costs.h"
#include "core/cost/rank_memory.h"
#include "core/io/project_file.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace pw {

/// An order with what its passes take: what predictions of other orders start from.
struct WhatIfBase
{
    Schedule schedule;
    Costs costs; ///< for its shape
    /// Kinds of passes that have a time of their own.
    std::array<bool, passKindCount> known{};
    std::optional<FamilyChoice> family; ///< that makes this order
    std::optional<Ticks> measured;      ///< how long the order took
    SimResult predicted;                ///< of the order with the costs
    PassEdges edges{};                  ///< of the order as it was measured
    std::optional<RankMemory> memory{}; ///< where peaks of its devices are known

    /// By how much of the measured time the prediction of the order itself is longer: the measure
    /// of trust in every other one.
    std::optional<double> residual() const;
};

/// The order of a trace or a run with the costs that were fitted to it.
///
/// @pre    `fitted` was fitted to this pipeline
/// @error  as of `costsOf`
Result<WhatIfBase> whatIfBase(const RecoveredPipeline& pipeline, const FittedCosts& fitted);

/// The order of a project with its costs; nothing was measured.
/// @error  as of `scheduleOf`
Result<WhatIfBase> whatIfBase(const Project& project);

/// What is to be another way. Nothing set: the order as it is.
struct WhatIf
{
    std::optional<FamilyChoice> family; ///< another order
    /// An order made anew on another placement, as many stages as it has: every device runs what
    /// it can, backwards first, and W where nothing else can run if the order has W; it holds no
    /// more activations than the most of any device in the order as it is. Instead of a family.
    std::optional<Placement> placement;
    /// An order that is there, of any shape; null: none. Instead of a family and a placement.
    std::shared_ptr<const Schedule> order = nullptr;
    std::optional<Ticks> hop; ///< every message takes this long
    double linkFactor = 1;    ///< every message takes so many times as long
    /// The part of BW that is W, where an order has B and W and only BW was measured; not said:
    /// `assumedWeightPart`.
    std::optional<double> weightPart;
    /// Most activation on a device, in micro-batches, in the place of the costs' own cap.
    std::optional<double> memoryLimit;
    /// Carries costs over to a shape; not set: as `carryCosts` and `carryRanks` do, and not at all
    /// where the order stays.
    std::function<Result<CarriedCosts>(const Costs&, const PipelineSpec&)> carry{};
};

/// How it would go.
struct Prediction
{
    Schedule schedule;
    Costs costs;
    SimResult result;
    std::string assumed; ///< how the costs were carried over; empty where nothing was assumed
    std::vector<Bytes> memory{}; ///< peak of each device; empty: not known
};

/// Predicts another order with the same costs, carried over as `carryCosts` and `carryRanks` do.
///
/// @error BadValue  costs that cannot be carried over, a kind of passes that was never measured, a
///                  parameter of the family
/// @error MemoryLimit  a device needs more than a cap of the costs, or the limit, allows
/// @error           as the family, or the search for an order, says
Result<Prediction> predict(const WhatIfBase& base, const WhatIf& what);

} // namespace pw
