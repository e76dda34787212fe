// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/evaluate.h"

#include <vector>

namespace pw::plan {

/// The policy of a layer: the first `recomputedLayers` of a stage have the configuration's, the
/// others keep all; 0: all have it.
RecomputePolicy policyOf(const Configuration& configuration, int layerOfStage);

/// Passes of a stage for one micro-batch.
PieceTime stageTime(const LanguageModel& model, const Configuration& configuration,
                    const Pieces& pieces, int first, int layers, bool isFirst, bool isLast);

/// The same in the segments of a spec, on the devices that host the stage, with their part of a
/// vocabulary that is split: by the slower one where two routes have it on two kinds.
PieceTime stageTimeOn(const LanguageModel& model, const Cluster& cluster,
                      const Configuration& configuration, const Pieces& pieces,
                      const PipelineSpec& spec, StageId stage, int first, int layers);

/// The stage whose backward runs beside a stage's forward where an order has such pairs: that which
/// comes to its device from the other end, else itself.
StageId partnerOf(const PipelineSpec& spec, StageId stage);

/// What an overlapped pair hides of exchanges between experts: those of the forward go on beside
/// the backward's computing, and the other way round. @source arXiv:2412.19437 §3.2.1
double hiddenInPairs(const PieceTime& forward, const PieceTime& backward);

/// What a stage keeps of one micro-batch.
struct StageBytes
{
    double activation = 0; ///< from F on
    double scores = 0;     ///< of them, what grows with queries times keys
    double kept = 0;       ///< between B and W
    double stash = 0;      ///< where the whole stage is computed again
};

StageBytes stageBytes(const LanguageModel& model, const Configuration& configuration, int first,
                      int layers, bool isFirst, bool isLast);

/// First layer of every stage.
std::vector<int> firstLayers(const std::vector<int>& split);

/// Whether all devices of a pipeline share the embedding and the output matrix.
inline bool vocabularyIsSplit(const Configuration& configuration)
{
    return configuration.vocabularyParallel && configuration.pipelineParallel > 1;
}

/// A model with the part of the vocabulary that a rank has where it is split, padded or not.
LanguageModel vocabularyShare(const LanguageModel& model, const Configuration& configuration);

/// What every stage takes for its device's part of the vocabulary.
PieceTime vocabularyTime(const Pieces& pieces, const PipelineSpec& spec);

/// What a rank holds more where the vocabulary is split: its part of the logits, and one
/// micro-batch more, since backwards begin an interval later. @source arXiv:2411.05288, Vocab-2
double vocabularyBytes(const LanguageModel& model, const Configuration& configuration,
                       const PipelineSpec& spec, DeviceId rank);

/// Weights of a stage with its part of a vocabulary that is split. @pre the split is there
DeviceWeights stageWeightsOn(const LanguageModel& model, const Configuration& configuration,
                             const PipelineSpec& spec, StageId stage, int first);

/// Weights by pipeline rank; a stage on two routes counts on both its devices.
std::vector<DeviceWeights> weightsByRank(const LanguageModel& model,
                                         const Configuration& configuration,
                                         const PipelineSpec& spec, const std::vector<int>& split);

} // namespace pw::plan
