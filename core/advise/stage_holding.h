// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/cost_origin.h"
#include "core/cost/rank_memory.h"
#include "core/model/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

/// Stages, of the changed order, that hold their activations in another way than was measured.
struct StageHolding
{
    std::vector<int> recomputed; ///< keep the inputs of their layers, and compute F again in B
    std::vector<int> kept;       ///< did so when they were measured, and keep everything instead
    std::vector<int> offloaded;  ///< copy what they keep to the host's memory, and back for B
    /// byte/s between a device and its host, in either direction; not said: `Offload::usualRate`,
    /// and half of it in the interval.
    std::optional<double> hostRate{};

    bool any() const { return !recomputed.empty() || !kept.empty() || !offloaded.empty(); }

    friend bool operator==(const StageHolding&, const StageHolding&) = default;
};

bool isAmong(const std::vector<int>& stages, int stage);

/// What computing a forward again in the backward takes and keeps.
struct Recomputation
{
    double forward = 1; ///< of F, that is computed again
    /// Of an activation, that stays: of the 34 bytes that a layer keeps of a token and a hidden
    /// unit the 2 of its input. @source arXiv:2205.05198, section 4.1
    double kept = 2.0 / 34;
    /// Embedding, head and loss are computed again too. Engines do so with layers alone.
    bool ends = false;
    double hostRate = 1; ///< of the link to the host, that copies reach beside others
};

/// The same of a model: both policies by its own costs.
/// @error as of `costsOf`
Result<Recomputation> recomputationOf(const CostOrigin& origin, const PipelineSpec& spec);

/// Ticks by cell that the forward takes in the backward.
///
/// @param layers  of every stage; empty: not known. Without embedding and head it is the layers'
/// part
///                of the forward, by what one takes on the median stage; where layers are not
///                known, of the first and the last stage no more than on the median one.
std::vector<Ticks> computedAgain(const Costs& costs, const PipelineSpec& spec,
                                 const std::vector<int>& layers,
                                 const Recomputation& recomputation);

/// Puts a holding into costs: backwards of stages that compute again are longer by their forward,
/// shares and bytes of what waits for them smaller.
///
/// @param layers  of every stage; empty: not known. One layer is held whole while it is computed
///                again, of a stage whose layers are not known all of it.
/// @error BadValue  a stage that is not there; copies to the host where no bytes are known
Result<void> hold(const StageHolding& holding, const Recomputation& recomputation,
                  const std::vector<int>& layers, const PipelineSpec& spec, Costs& costs);

/// What shares do not tell of stages that are recomputed, by device, at the most: the layer that is
/// computed again, and what waits for W then, which is all of it.
std::vector<Share> heldAgain(const StageHolding& holding, const Recomputation& recomputation,
                             const std::vector<int>& layers, const Schedule& schedule,
                             const Costs& costs);

/// "stage 2", "stages 0 and 1", "every stage".
Sentence stagesText(const std::vector<int>& stages, int all);

} // namespace pw
