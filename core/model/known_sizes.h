// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"

#include <span>
#include <vector>

namespace pw {

/// Whether costs say the bytes of anything that a device holds. Where they do not, a cap in bytes
/// caps nothing, and one in shares of a micro-batch does.
bool hasSizes(const Costs& costs);

/// Whether costs limit what a device may hold.
bool isCapped(const Costs& costs);

/// What a stage holds all the time: one version of its weights, gradients and optimizer.
Bytes standingBytes(const Costs& costs, StageId stage);

/// What a device holds whatever its order: one version of the weights of all its stages, and what
/// the engine has beside them. The one place that knows how bytes of stages make those of a device.
struct StandingMemory
{
    Bytes weights = 0;
    Bytes gradients = 0;
    Bytes optimizer = 0;
    Bytes buffers = 0;    ///< of the stage that has most
    Bytes workspace = 0;  ///< of the stage that takes most
    double fragments = 0; ///< `Costs::fragments`

    /// What of activations and workspace the allocator cannot use.
    Bytes fragmentsOf(Bytes activation) const
    {
        return static_cast<Bytes>(fragments * static_cast<double>(activation + workspace));
    }
    /// All that the device holds with so many bytes of activations.
    Bytes with(Bytes activation) const
    {
        return weights + gradients + optimizer + buffers + workspace + activation +
               fragmentsOf(activation);
    }
    /// The most bytes of activations with which the device holds no more than a cap; below 0 where
    /// what stands is too much already.
    Bytes room(Bytes cap) const;

    friend bool operator==(const StandingMemory&, const StandingMemory&) = default;
};

/// @param hosted  the stages of the device
StandingMemory standingMemory(const Costs& costs, std::span<const HostedStage> hosted);
/// Of every device.
std::vector<StandingMemory> standingMemory(const Costs& costs, const PipelineSpec& spec);

} // namespace pw
