// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/cost/configuration.h"
#include "core/cost/language_model.h"

namespace pw::plan {

/// Parameters on one device of a piece of the model.
struct DeviceWeights
{
    double dense = 0;  ///< whose gradients all replicas sum
    double expert = 0; ///< whose gradients the replicas of an expert sum

    double total() const { return dense + expert; }
    DeviceWeights& operator+=(const DeviceWeights& other)
    {
        dense += other.dense;
        expert += other.expert;
        return *this;
    }

    friend bool operator==(const DeviceWeights&, const DeviceWeights&) = default;
};

/// Of one layer, of the embedding, of the last norm and output matrix; a tied output matrix is a
/// copy where the pipeline has two stages or more.
DeviceWeights layerDeviceWeights(const LanguageModel& model, const Configuration& configuration,
                                 int layer);
DeviceWeights embeddingDeviceWeights(const LanguageModel& model,
                                     const Configuration& configuration);
DeviceWeights outputDeviceWeights(const LanguageModel& model, const Configuration& configuration);

/// Bytes that one micro-batch keeps on a device for one layer from F on, by the policy.
double layerActivationBytes(const LanguageModel& model, const Configuration& configuration,
                            bool experts, RecomputePolicy policy);

/// Of them the scores and what belongs to them, which grow with queries times keys.
double layerScoreBytes(const LanguageModel& model, const Configuration& configuration,
                       RecomputePolicy policy);

/// What of them a layer still holds between B and W.
double layerKeptBytes(const LanguageModel& model, const Configuration& configuration, bool experts);

/// Token numbers and the embedding's mask; inputs of the last norm and matrix, and what stays of
/// the logits.
double embeddingBytes(const LanguageModel& model, const Configuration& configuration);
double outputBytes(const LanguageModel& model, const Configuration& configuration);

/// What the output layer holds between B and W: its matrix's input and the gradient of the logits
/// in the type of activations.
double outputKeptBytes(const LanguageModel& model, const Configuration& configuration);

/// Numbers of the tokens of a micro-batch.
double tokenNumberBytes(const LanguageModel& model, const Configuration& configuration);

/// The tensor between two stages, on one device.
double boundaryBytesOf(const LanguageModel& model, const Configuration& configuration);

/// Bytes of a device, by what they hold.
struct MemoryParts
{
    double weights = 0;  ///< one version
    double versions = 0; ///< further ones that an order without a flush keeps
    double gradients = 0;
    double optimizer = 0;
    double activations = 0; ///< of the micro-batches in flight, by the simulated order
    double working = 0;     ///< what is recomputed or gathered, and gone again at once
    double buffers = 0;     ///< messages between stages, and gathered tensors
    double loss = 0;        ///< what the loss takes for a moment beside the logits that it keeps
    double slices = 0;      ///< keys and values of slices in one piece, and their gradients
    double dummies = 0;     ///< empty gradients of fused accumulation, by shape of matrix
    double fragments = 0;   ///< what the allocator cannot use

    double total() const
    {
        return weights + versions + gradients + optimizer + activations + working + buffers + loss +
               slices + dummies + fragments;
    }

    friend bool operator==(const MemoryParts&, const MemoryParts&) = default;
};

/// All but the activations, for the weights of a device.
MemoryParts staticMemory(const LanguageModel& model, const Configuration& configuration,
                         const DeviceWeights& weights);

} // namespace pw::plan
