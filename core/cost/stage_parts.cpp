// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/stage_parts.h"

#include "core/cost/segment_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pw::plan {

namespace {

/// Of an embedding or output matrix, on one of so many accelerators that share it.
double matrixWeights(const LanguageModel& model, int parts)
{
    return static_cast<double>(model.dense.hidden) *
           static_cast<double>(vocabularyPart(model.dense, parts));
}

DeviceWeights stageWeights(const LanguageModel& model, const Configuration& configuration,
                           int first, int layers, bool isFirst, bool isLast)
{
    DeviceWeights weights, own;
    for (int layer = first; layer < first + layers; ++layer) {
        // Those of a kind are alike.
        if (layer == first || model.hasExperts(layer) != model.hasExperts(layer - 1))
            own = layerDeviceWeights(model, configuration, layer);
        weights += own;
    }
    DeviceWeights ends;
    if (isFirst)
        ends += embeddingDeviceWeights(model, configuration);
    if (isLast)
        ends += outputDeviceWeights(model, configuration);
    if (vocabularyIsSplit(configuration)) { // what of them is split is counted by rank
        const double whole = matrixWeights(model, configuration.tensorParallel);
        ends.dense -= (isFirst ? whole : 0) + (isLast ? whole : 0);
    }
    weights += ends;
    return weights;
}

} // namespace

std::vector<int> firstLayers(const std::vector<int>& split)
{
    std::vector<int> first(split.size(), 0);
    for (std::size_t s = 1; s < split.size(); ++s)
        first[s] = first[s - 1] + split[s - 1];
    return first;
}

RecomputePolicy policyOf(const Configuration& configuration, int layerOfStage)
{
    const bool all = configuration.recomputedLayers == 0;
    return all || layerOfStage < configuration.recomputedLayers ? configuration.recompute
                                                                : RecomputePolicy::None;
}

PieceTime stageTime(const LanguageModel& model, const Configuration& configuration,
                    const Pieces& pieces, int first, int layers, bool isFirst, bool isLast)
{
    const int dense = model.experts.count == 0
                          ? layers
                          : std::clamp(model.experts.denseLayers - first, 0, layers);
    const int again = configuration.recomputedLayers == 0
                          ? layers
                          : std::min(configuration.recomputedLayers, layers);
    const int denseAgain = std::min(dense, again);
    PieceTime time;
    const auto add = [&time](int count, const PieceTime& layer) {
        if (count > 0)
            time += count * layer;
    };
    add(denseAgain, pieces.dense);
    add(dense - denseAgain, pieces.plainDense);
    add(again - denseAgain, pieces.experts);
    add(layers - dense - (again - denseAgain), pieces.plainExperts);
    if (isFirst)
        time += pieces.embedding;
    if (isLast)
        time += pieces.output;
    return time;
}

PieceTime stageTimeOn(const LanguageModel& model, const Cluster& cluster,
                      const Configuration& configuration, const Pieces& pieces,
                      const PipelineSpec& spec, StageId stage, int first, int layers)
{
    const bool isFirst = stage == 0, isLast = stage == spec.stages() - 1;
    const auto on = [&](int route) {
        const Pieces& own = piecesOfRank(cluster, configuration, pieces, spec.device(route, stage));
        return stageTime(model, configuration, own, first, layers, isFirst, isLast) +
               vocabularyTime(own, spec);
    };
    PieceTime time = on(0);
    for (int route = 1; route < spec.routeCount() && !cluster.groups.empty(); ++route) {
        const PieceTime other = on(route);
        if (other.total() > time.total())
            time = other;
    }
    if (spec.segments() > 1)
        time = inSegments(time, SegmentParts(model.dense, spec.segmentLengths));
    // Of every pass, whatever is in it.
    const double own =
        clusterOfRank(cluster, configuration, spec.device(0, stage)).constants[Constant::PassTime] *
        spec.segments();
    for (PassParts* pass : {&time.forward, &time.backward, &time.weight, &time.joined})
        pass->host += own;
    return time;
}

StageBytes stageBytes(const LanguageModel& model, const Configuration& configuration, int first,
                      int layers, bool isFirst, bool isLast)
{
    StageBytes bytes, own;
    std::optional<std::pair<bool, RecomputePolicy>> last;
    for (int layer = first; layer < first + layers; ++layer) {
        const bool experts = model.hasExperts(layer);
        const RecomputePolicy policy = policyOf(configuration, layer - first);
        // Those of a kind are alike.
        if (last != std::pair(experts, policy)) {
            last = std::pair(experts, policy);
            own.activation = layerActivationBytes(model, configuration, experts, policy);
            own.scores = layerScoreBytes(model, configuration, policy);
            own.kept = layerKeptBytes(model, configuration, experts);
        }
        bytes.activation += own.activation;
        bytes.scores += own.scores;
        bytes.kept += own.kept;
    }
    bytes.stash =
        isFirst ? tokenNumberBytes(model, configuration) : boundaryBytesOf(model, configuration);
    if (isFirst)
        bytes.activation += embeddingBytes(model, configuration);
    if (isLast && !vocabularyIsSplit(configuration)) {
        bytes.activation += outputBytes(model, configuration);
        bytes.kept += outputKeptBytes(model, configuration);
    }
    // What B has computed again stays until W, however little F has left.
    if (configuration.recompute != RecomputePolicy::Full)
        bytes.kept = std::min(bytes.kept, bytes.activation);
    // A stage without layers keeps less than what it sends.
    bytes.stash = std::min(bytes.stash, bytes.activation);
    return bytes;
}

LanguageModel vocabularyShare(const LanguageModel& model, const Configuration& configuration)
{
    const int t = configuration.tensorParallel, p = configuration.pipelineParallel;
    LanguageModel share = model;
    share.dense.vocabulary = static_cast<int>(t * vocabularyPart(model.dense, t * p));
    return share;
}

PieceTime vocabularyTime(const Pieces& pieces, const PipelineSpec& spec)
{
    const double part = static_cast<double>(spec.devices) / spec.stages();
    return part * pieces.vocabulary;
}

double vocabularyBytes(const LanguageModel& model, const Configuration& configuration,
                       const PipelineSpec& spec, DeviceId rank)
{
    const std::vector<int> first = firstLayers(configuration.split);
    const int stages = spec.stages();
    double bytes = outputBytes(vocabularyShare(model, configuration), configuration);
    for (const StageId s : Ids<StageId>(stages)) {
        const auto i = static_cast<std::size_t>(s);
        if (spec.device(0, s) == rank)
            bytes += stageBytes(model, configuration, first[i], configuration.split[i], s == 0,
                                s == stages - 1)
                         .activation;
    }
    return bytes;
}

DeviceWeights stageWeightsOn(const LanguageModel& model, const Configuration& configuration,
                             const PipelineSpec& spec, StageId stage, int first)
{
    DeviceWeights weights =
        stageWeights(model, configuration, first, configuration.split[stage.index()], stage == 0,
                     stage == spec.stages() - 1);
    if (vocabularyIsSplit(configuration)) {
        // A tied embedding is one matrix on every device.
        const double matrices = model.dense.tiedEmbedding ? 1 : 2;
        weights.dense += matrices *
                         matrixWeights(model, configuration.tensorParallel * spec.devices) *
                         spec.devices / spec.stages();
    }
    return weights;
}

StageId partnerOf(const PipelineSpec& spec, StageId stage)
{
    const StageId other(spec.stages() - 1 - stage.value);
    const DeviceId device = spec.device(0, stage);
    for (int route = 0; route < spec.routeCount(); ++route)
        if (spec.device(route, other) == device)
            return other;
    return stage;
}

double hiddenInPairs(const PieceTime& forward, const PieceTime& backward)
{
    const PassParts& first = forward.forward;
    const double exchange = backward.joined.expert;
    return std::min(first.expert, backward.joined.total() - exchange) +
           std::min(exchange, first.total() - first.expert);
}

std::vector<DeviceWeights> weightsByRank(const LanguageModel& model,
                                         const Configuration& configuration,
                                         const PipelineSpec& spec, const std::vector<int>& split)
{
    const std::vector<int> first = firstLayers(split);
    Configuration placed = configuration;
    placed.split = split;
    std::vector<DeviceWeights> weights(static_cast<std::size_t>(spec.devices));
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId s : Ids<StageId>(spec.stages()))
            weights[spec.device(route, s).index()] +=
                stageWeightsOn(model, placed, spec, s, first[s.index()]);
    }
    return weights;
}

} // namespace pw::plan
