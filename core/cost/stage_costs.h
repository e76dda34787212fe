// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/hardware.h"
#include "core/cost/layer_split.h"
#include "core/cost/transformer.h"
#include "core/model/costs.h"

namespace pw {

/// Where the full recompute of a model happens.
enum class RecomputeIn : std::uint8_t
{
    Backward, ///< layer by layer inside B and BW, for orders without R passes
    Passes    ///< in R passes, a stage at a time, for orders that have them
};

/// Operations of one micro-batch on a stage, over all t accelerators. Their sum over a split is
/// that of the model.
PassFlops stageFlops(const TransformerModel& model, const StageContent& stage);

/// Parameters of a stage on one of t accelerators. A last stage apart from the first has its own
/// copy of a tied embedding.
std::int64_t stageParameters(const TransformerModel& model, const StageContent& stage);

/// Times and bytes of every pass of a spec, from a model, a machine and the layers of every stage.
///
/// All bytes are of one of the t accelerators that make a device. Times are sums over layers of
/// `layerSeconds`, each layer rounded to a tick, so that no split of the layers changes the total.
///
/// - A segment of n tokens that ends at e takes n/s of what grows with the tokens, and of the
///   attention n·e/s², or (2ne − n²)/s² where masked parts are skipped; then the segments of a
///   micro-batch sum to the whole exactly. Lengths that do not sum to the sequence are taken as
///   relative.
/// - `recompute` and the stash (the stage's input; token numbers at the first stage) are always
///   given, for orders with R passes. With `RecomputeIn::Passes`, activations are those of a layer
///   that forgets nothing, or selectively.
/// - With `RecomputeIn::Backward` and the full policy, B takes F's time on top, and an activation
///   is one input a layer. Between B and W all that W needs is kept, more than F has left; the
///   layer that is being recomputed is not in the bytes of a BW.
/// - Devices fill nodes in order; messages inside and between nodes have links of their own.
/// - `update` has the optimizer's traffic, the sum over data-parallel replicas, and for the two
///   holders of a tied embedding the exchange of its gradient.
/// - Memory caps are the machine's memory less its reserve.
///
/// @error BadValue  model, machine, spec or split is wrong, segments of attention that is not
///                  causal, multi-token layers
/// @error TooLarge  a pass longer than `longestPass`; names the stage and the pass
/// @complexity      O(S·k + p²)
Result<Costs> costsOf(const TransformerModel& model, const Hardware& hardware,
                      const PipelineSpec& spec, const LayerSplit& split,
                      RecomputeIn recomputeIn = RecomputeIn::Backward);

} // namespace pw
