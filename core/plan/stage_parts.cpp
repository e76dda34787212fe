// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/stage_parts.h"

#include <algorithm>

namespace pw::plan {

namespace {

PieceTime timesOf(int count, const PieceTime& piece)
{
    return {count * piece.forward, count * piece.backward, count * piece.weight};
}

} // namespace

RecomputePolicy policyOf(const Configuration& configuration, int layerOfStage)
{
    const bool all = configuration.recomputedLayers == 0;
    return all || layerOfStage < configuration.recomputedLayers ? configuration.recompute
                                                                : RecomputePolicy::None;
}

PieceTime stageTime(const PlanModel& model, const Configuration& configuration,
                    const Pieces& pieces, int first, int layers, bool isFirst, bool isLast)
{
    const int dense = model.experts.count == 0
                          ? layers
                          : std::clamp(model.experts.denseLayers - first, 0, layers);
    const int again = configuration.recomputedLayers == 0
                          ? layers
                          : std::min(configuration.recomputedLayers, layers);
    const int denseAgain = std::min(dense, again);
    PieceTime time = timesOf(denseAgain, pieces.dense);
    time += timesOf(dense - denseAgain, pieces.plainDense);
    time += timesOf(again - denseAgain, pieces.experts);
    time += timesOf(layers - dense - (again - denseAgain), pieces.plainExperts);
    if (isFirst)
        time += pieces.embedding;
    if (isLast)
        time += pieces.output;
    return time;
}

StageBytes stageBytes(const PlanModel& model, const Configuration& configuration, int first,
                      int layers, bool isFirst, bool isLast)
{
    StageBytes bytes;
    for (int layer = first; layer < first + layers; ++layer) {
        const bool experts = model.hasExperts(layer);
        bytes.activation += layerActivationBytes(model, configuration, experts,
                                                 policyOf(configuration, layer - first));
        bytes.kept += layerKeptBytes(model, configuration, experts);
    }
    bytes.stash = boundaryBytesOf(model, configuration);
    if (isFirst)
        bytes.activation += embeddingBytes(model, configuration);
    if (isLast) {
        bytes.activation += outputBytes(model, configuration);
        bytes.kept += outputBytes(model, configuration);
    }
    // A stage without layers keeps less than what it sends.
    bytes.kept = std::min(bytes.kept, bytes.activation);
    bytes.stash = std::min(bytes.stash, bytes.activation);
    return bytes;
}

} // namespace pw::plan
