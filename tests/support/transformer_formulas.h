// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/transformer.h"

#include <cstdint>

// What the papers say in closed forms of a transformer without experts, whose heads fill its width.
// The cost model adds up tensors and kernels and is held against these.

namespace pw {

/// Floating-point operations of F, B and W of one micro-batch, over all t accelerators;
/// multiply-add = 2.
struct PassFlops
{
    double forward = 0;
    double backward = 0;
    double weight = 0;

    double total() const { return forward + backward + weight; }

    friend bool operator==(const PassFlops&, const PassFlops&) = default;
};

/// Matrix products with weights of one layer: 24bsh² each at f = 4h. @source arXiv:2401.10241 table
/// 1
PassFlops linearFlops(const TransformerModel& model);

/// Scores and values of one layer: F 4bs²h, B 8bs²h, W 0; half of it where masked parts are
/// skipped.
/// @source arXiv:2401.10241 table 1
PassFlops attentionFlops(const TransformerModel& model);

/// Both of the above.
PassFlops layerFlops(const TransformerModel& model);

/// Output layer: 2bshV each.
PassFlops outputFlops(const TransformerModel& model);

/// Forward operations of one layer that are done once more before or in its backward, by the
/// policy. A flash kernel forms the scores again in its backward whatever the policy.
///
/// Counted operation by operation: selective recompute adds 4bs²h. The literature also has 12bs²h
/// for it, without a derivation that we could follow.
double recomputedFlops(const TransformerModel& model);

/// Operations that one iteration over `samples` needs: 72·samples·Lsh²(1 + s/(6h) + V/(12hL)) at f
/// = 4h.
double modelFlops(const TransformerModel& model, double samples);

/// The same with what is computed again: 96·samples·Lsh²(1 + s/(6h) + V/(16hL)) with full
/// recompute.
/// @source arXiv:2104.04473 §5.1
double hardwareFlops(const TransformerModel& model, double samples);

/// Parameters of one layer, whole: 12h² + 13h at f = 4h with biases.
std::int64_t layerParameters(const TransformerModel& model);

/// Parameters of the model, shared ones once: 12Lh²(1 + 13/(12h) + (V+s)/(12Lh)) and the last
/// norm's 2h.
/// @source arXiv:2104.04473 §5.1, which leaves the last norm out
std::int64_t parameters(const TransformerModel& model);

/// Parameters on one of t accelerators.
struct DeviceParameters
{
    std::int64_t layer = 0; ///< of one layer; norms and the biases after a sum are on all of them
    std::int64_t embedding = 0; ///< tokens and positions
    std::int64_t output = 0; ///< last norm and output matrix, its own or its copy of the embedding
    std::int64_t tokenRows = 0; ///< the matrix that a tied embedding and output share

    friend bool operator==(const DeviceParameters&, const DeviceParameters&) = default;
};

DeviceParameters deviceParameters(const TransformerModel& model);

/// Bytes that one micro-batch keeps on one of t accelerators from F on.
struct ActivationBytes
{
    Bytes perToken = 0; ///< the part that grows with the tokens, of the whole sequence
    Bytes scores = 0;   ///< the part that grows with queries times keys, of the whole sequence

    Bytes total() const { return perToken + scores; }

    friend bool operator==(const ActivationBytes&, const ActivationBytes&) = default;
};

/// What a layer keeps under a policy; the model's own policy is not looked at.
///
/// None sbh(10 + 24/t + 5as/(ht)), or all of it over t with sequence parallelism; selective without
/// the score part; full the input alone, 2sbh. @source arXiv:2205.05198 table 2
ActivationBytes layerActivation(const TransformerModel& model, RecomputePolicy policy);

/// What a layer still holds between B and W: inputs and output gradients of its matrices, 32sbh at
/// t = 1, f = 4h.
/// @source arXiv:2401.10241 table 1 (its M_W); the parts under t are counted tensor by tensor
Bytes layerKeptForWeight(const TransformerModel& model);

/// Mask of the embedding's dropout, sbh, and token numbers, 8sb. @source Megatron-LM
/// theoretical_memory_usage.py
Bytes embeddingActivation(const TransformerModel& model);

/// Inputs of the last norm and of the output matrix, 4sbh, and logits in four bytes, 4sbV/t.
/// @source Megatron-LM theoretical_memory_usage.py
Bytes outputActivation(const TransformerModel& model);

/// The tensor between two stages, on one accelerator: 2bsh, over t with sequence parallelism.
Bytes boundaryBytes(const TransformerModel& model);

/// Bytes of a parameter on a device: 18, or 6 + 12/d with a distributed optimizer.
double bytesPerParameter(const TransformerModel& model);

} // namespace pw
