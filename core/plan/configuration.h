// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/transformer.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::plan {

/// Whether a family runs the backward for the weights as passes of their own.
constexpr bool splitsBackward(std::string_view family)
{
    return family != "1f1b" && family != "interleaved-1f1b" && family != "gpipe" &&
           family != "kfkb" && family != "breadth-first";
}

/// One way to train a model on a cluster.
struct Configuration
{
    std::string family = "1f1b";
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
    bool sequenceParallel = false;   ///< what t leaves whole is split by tokens
    int zero = 0;                    ///< 0 … 3: optimizer, gradients, weights over the replicas
    bool overlapReduction = false;   ///< gradients are summed under the last backward
    bool overlapTensor = false;      ///< tensor collectives run in parts beside their products
    bool fusedAccumulation = false;  ///< the product that makes gradients adds them to their sum

    int devices() const
    {
        return pipelineParallel * tensorParallel * dataParallel * contextParallel;
    }
    int microBatches() const { return globalBatch / (dataParallel * microBatchSize); }
    int stages() const { return pipelineParallel * chunks; }

    friend bool operator==(const Configuration&, const Configuration&) = default;
};

} // namespace pw::plan
