// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/cluster.h"
#include "core/cost/configuration.h"
#include "core/cost/cost_origin.h"
#include "core/cost/layer_split.h"
#include "core/model/costs.h"

namespace pw {

/// A model on its accelerators, as a plan has it: one way to train, without a family.
struct PlannedOrigin
{
    plan::Cluster cluster;
    plan::Configuration configuration;
};

/// The plan of an origin for a pipeline: its devices are p · t · d accelerators of one kind, in
/// nodes that they fill in order.
/// @error BadValue  of the hardware's name, the model or the split
Result<PlannedOrigin> plannedOrigin(const CostOrigin& origin, const PipelineSpec& spec);

/// The costs of a spec from where they come from: times and bytes of every pass, the same as those
/// of a plan's configuration, and what stages hold all the time.
///
/// All bytes are of one of the t accelerators that make a device.
///
/// - `recompute` and the stash (the stage's input; token numbers at the first stage) are always
///   given, for orders with R passes. With `RecomputeIn::Passes`, activations are those of a layer
///   that forgets nothing, or selectively.
/// - With `RecomputeIn::Backward` and the full policy, B takes F's time on top, and an activation
///   is one input a layer. Between B and W all that W needs is kept, more than F has left; the
///   layer that is being recomputed is not in the bytes of a BW.
/// - `update` has the optimizer's traffic, the sum over data-parallel replicas, and for the two
///   holders of a tied embedding the exchange of its gradient.
/// - Memory caps are the accelerator's memory less its reserve.
///
/// @error BadValue  model, hardware, spec or split is wrong, segments of attention that is not
///                  causal, multi-token layers
/// @error TooLarge  a pass longer than `longestPass`; names the stage and the pass
/// @complexity      O(S·k + p²)
Result<Costs> costsOf(const CostOrigin& origin, const PipelineSpec& spec);

/// Bytes of an accelerator that a model may have.
/// @error BadValue  lists the names
Result<Bytes> usableMemory(std::string_view hardware);

} // namespace pw
