// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/configuration.h"
#include "core/cost/language_model.h"
#include "core/model/pipeline_spec.h"

#include <cstdint>
#include <utility>
#include <vector>

// What an engine holds beside the mathematics, on one device.

namespace pw::plan {

/// Rows and columns of a weight matrix on one device.
using MatrixShape = std::pair<std::int64_t, std::int64_t>;

/// Weight matrices of a layer as an engine has them: queries, keys and values are one, both sides
/// of a gated MLP are one.
std::vector<MatrixShape> layerMatrices(const LanguageModel& model,
                                       const Configuration& configuration, int layer);

/// Bytes of one empty gradient for each different shape of the matrices that a device has: a
/// range of layers, and the output matrix where it has one.
double dummyGradientBytes(const LanguageModel& model, const Configuration& configuration,
                          std::vector<MatrixShape> matrices);

/// Keys and values of one micro-batch in a number of layers.
double keyValueBytes(const LanguageModel& model, const Configuration& configuration, int layers);

/// Keys and values of all slices in one piece, which a micro-batch keeps from its first F to its
/// last B beside those of every slice; 0 where there are no slices, or the engine has no such
/// piece. @source Seq1F1B 33bb4a1, megatron/model/transformer.py: the piece of every slice takes
/// the place of the one before
double joinedSliceBytes(const LanguageModel& model, const Configuration& configuration,
                        const PipelineSpec& spec, int layers);

/// What a stage's device has beside what the order makes it keep.
struct EngineBytes
{
    // Allocated once.
    Bytes messages = 0; ///< between stages, and gathered tensors
    Bytes dummies = 0;  ///< empty gradients, see `dummyGradientBytes`
    // While a pass of the stage runs.
    Bytes working = 0; ///< what is recomputed or gathered, and gone again at once
    Bytes loss = 0;    ///< of one micro-batch, or its longest slice, beside what it keeps
    /// Of the keys and values of the micro-batch whose slices go back: each B passes them on to the
    /// slice before.
    Bytes sliceGradients = 0;
    /// Of a vocabulary that all devices share: their part of the logits, and one micro-batch more.
    Bytes vocabulary = 0;

    Bytes buffers() const { return messages + dummies; }
    Bytes workspace() const { return working + loss + sliceGradients + vocabulary; }

    friend bool operator==(const EngineBytes&, const EngineBytes&) = default;
};

/// Of every stage. A device has the largest buffers and the largest workspace of its stages; its
/// empty gradients are of all shapes that its stages have together.
/// @pre the configuration has its split
std::vector<EngineBytes> engineBytes(const LanguageModel& model, const Configuration& configuration,
                                     const PipelineSpec& spec);

} // namespace pw::plan
