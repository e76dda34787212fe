// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/language_model.h"
#include "core/model/pipeline_spec.h"
#include "core/plan/configuration.h"

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

/// The same of a pipeline rank with all its stages. @pre the configuration has its split
double dummyGradientBytes(const LanguageModel& model, const Configuration& configuration,
                          const PipelineSpec& spec, DeviceId rank);

/// Keys and values of one micro-batch in a number of layers.
double keyValueBytes(const LanguageModel& model, const Configuration& configuration, int layers);

/// Keys and values of all slices in one piece, which a micro-batch keeps from its first F to its
/// last B beside those of every slice; 0 where there are no slices, or the engine has no such
/// piece. @source Seq1F1B 33bb4a1, megatron/model/transformer.py: the piece of every slice takes
/// the place of the one before
double joinedSliceBytes(const LanguageModel& model, const Configuration& configuration,
                        const PipelineSpec& spec, int layers);

/// Gradients of the keys and values of the micro-batch whose slices go back, which each B passes
/// on to the slice before: of the stage of a rank that has most layers.
double sliceGradientBytes(const LanguageModel& model, const Configuration& configuration,
                          const PipelineSpec& spec, DeviceId rank);

/// What the loss of one micro-batch, or of its longest slice, takes beside what it keeps.
double lossBytes(const LanguageModel& model, const Configuration& configuration,
                 const PipelineSpec& spec, DeviceId rank);

} // namespace pw::plan
