// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/engine_memory.h"
#include "core/cost/transformer.h"
#include "core/families/default_family.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::plan {

/// What of the activations waits for its backward in the host's memory.
enum class OffloadPolicy : std::uint8_t
{
    None,
    Activations, ///< as many layers as the copies hide under the passes, longest waiting ones first
    All,         ///< all layers of all stages; what does not hide is paid
    Shares       ///< of every stage the part that is given
};

constexpr std::array<std::string_view, 4> offloadPolicyNames = {"none", "activations", "all",
                                                                "shares"};

constexpr std::string_view name(OffloadPolicy policy)
{
    return offloadPolicyNames[static_cast<std::size_t>(policy)];
}

/// One way to train a model on a cluster.
struct Configuration
{
    std::string family{defaultFamily};
    std::vector<std::pair<std::string, double>> parameters; ///< of the family, besides chunks
    int pipelineParallel = 1;
    int tensorParallel = 1;
    int dataParallel = 1;
    int contextParallel = 1;
    int expertParallel = 1; ///< part of dp·cp·tp over which experts are spread
    int microBatchSize = 1;
    int globalBatch = 1;
    int chunks = 1;
    RecomputePolicy recompute = RecomputePolicy::None;
    bool vocabularyParallel = false; ///< all devices share embedding and output matrix
    int recomputedLayers = 0;        ///< of every stage, its first; 0: all
    std::vector<int> split;          ///< layers of every stage; empty: found
    std::vector<int> segmentLengths; ///< of a family with segments, in tokens; empty: equal
    bool sequenceParallel = false;   ///< what t leaves whole is split by tokens
    int zero = 0;                    ///< 0 … 3: optimizer, gradients, weights over the replicas
    bool overlapReduction = false;   ///< gradients are summed under the last backward
    bool overlapTensor = false;      ///< tensor collectives run in parts beside their products
    bool fusedAccumulation = false;  ///< the product that makes gradients adds them to their sum
    EngineMemory engine;             ///< what the engine holds beside the mathematics
    OffloadPolicy offload = OffloadPolicy::None;
    /// Part of the activations that is copied to the host, by stage, 0 … 1. Found by an evaluation
    /// but for `Shares`; there one value is for all stages.
    std::vector<double> offloadShares;

    int devices() const
    {
        return pipelineParallel * tensorParallel * dataParallel * contextParallel;
    }
    int microBatches() const { return globalBatch / (dataParallel * microBatchSize); }
    int stages() const { return pipelineParallel * chunks; }

    friend bool operator==(const Configuration&, const Configuration&) = default;
};

} // namespace pw::plan
