// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/hardware.h"
#include "core/cost/transformer.h"

namespace pw {

/// Seconds of the passes of one micro-batch.
struct PassSeconds
{
    double forward = 0;
    double backward = 0;
    double weight = 0;
    double recompute = 0; ///< the forward once more

    friend bool operator==(const PassSeconds&, const PassSeconds&) = default;
};

/// Seconds of one layer: the part that grows with the tokens, and the part that grows with queries
/// times keys.
struct LayerSeconds
{
    PassSeconds perToken;
    PassSeconds scores;
};

/// One layer on one of t accelerators: operations over the rate of their kernel class, element-wise
/// traffic over the memory bandwidth, and the sums over the t accelerators (two in F, two in B),
/// nothing of which overlaps.
///
/// Selective recompute and the scores that a flash kernel forms again are in `backward`. Full
/// recompute is not: it is `recompute`, whatever the policy.
///
/// The traffic is counted from the kernels of an ordinary implementation (own derivation): with e
/// bytes an element and masks of one byte, F moves sbh(10e + 2) + 2sbfe, its scores as²b(4e + 1); B
/// sbh(16e + 2) + 3sbfe and as²b(5e + 1).
LayerSeconds layerSeconds(const TransformerModel& model, const Hardware& hardware);

/// Output matrix and loss. F and B pass over the logits twice, four bytes each. The embedding takes
/// no time.
PassSeconds outputSeconds(const TransformerModel& model, const Hardware& hardware);

/// Optimizer update of so many parameters of a device: the traffic of gradients, states and
/// weights, and with d replicas the sum of the gradients over the link between nodes, 2(d−1)/d of
/// their bytes.
double updateSeconds(const TransformerModel& model, const Hardware& hardware, double parameters);

/// Time to move a layer's activations to the host and back over the time of its F, B and W: up to 1
/// they can all be offloaded beside the work. Counts 20sbh bytes each way, what is left when norms,
/// GeLU and dropout are recomputed; at f = 4h it is 10·compute/(3(6h+s)·link).
///
/// @param compute  FLOP/s that the layer reaches
/// @param link     byte/s between device and host
/// @source         arXiv:2503.01328 §2
double offloadRatio(const TransformerModel& model, double compute, double link);

} // namespace pw
