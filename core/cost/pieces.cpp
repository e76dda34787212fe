// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/cost/configuration_traits.h"
#include "core/cost/engine_terms.h"
#include "core/cost/evaluate.h"
#include "core/cost/sequence_partition.h"
#include "core/cost/stage_parts.h"

#include <algorithm>
#include <utility>

namespace pw::plan {

namespace {

/// What grows with the bytes of a message is in a straight line.
Hop hopOf(const Cluster& cluster, const Configuration& configuration, bool crossesNodes,
          double bytes)
{
    if (configuration.pipelineParallel == 1)
        return {};
    const int t = configuration.tensorParallel;
    const int apart = configuration.devices() / configuration.pipelineParallel;
    const auto seconds = [&](double part) {
        const double gather = configuration.sequenceParallel
                                  ? 0
                                  : gatherSeconds(cluster, groupOf(cluster, t, 1), part * t);
        return messageSeconds(cluster, crossesNodes, part, apart) + gather;
    };
    Hop hop;
    hop.latency = seconds(0);
    hop.bytesPerSecond = bytes / (seconds(bytes) - hop.latency);
    return hop;
}

/// What a layer moves of the slices before each slice: their keys and values have gradients that
/// are added to, and where they stand in one piece it is copied anew for every slice.
void addEarlierSlices(const LanguageModel& model, const Configuration& configuration,
                      const Cluster& cluster, PieceTime& layer)
{
    const auto slices = static_cast<double>(configuration.segmentLengths.size());
    if (slices < 2)
        return;
    // Of the sequence, by all slices together: (k + 1) / 2 times.
    const double bytes = keyValueBytes(model, configuration, 1) * (slices + 1) / 2;
    constexpr double added = 3, copied = 2; // reads and writes
    layer.backward.traffic += trafficSeconds(cluster, added * bytes);
    layer.joined.traffic += trafficSeconds(cluster, added * bytes);
    if (configuration.engine.joinsSlices)
        layer.forward.traffic += trafficSeconds(cluster, copied * bytes);
}

} // namespace

Pieces piecesOf(const LanguageModel& model, const Cluster& cluster, const Configuration& given)
{
    Configuration configuration = given;
    settleSegments(model, configuration);
    Pieces pieces;
    for (const Cluster& group : cluster.groups)
        pieces.kinds.push_back(piecesOf(model, group, configuration));
    const auto layer = [&](const Configuration& c, bool experts) {
        PieceTime time = layerTime(model, c, cluster, experts);
        addEarlierSlices(model, c, cluster, time);
        return time;
    };
    pieces.dense = layer(configuration, false);
    if (model.experts.count > 0)
        pieces.experts = layer(configuration, true);
    if (configuration.recomputedLayers > 0) {
        Configuration plain = configuration;
        plain.recompute = RecomputePolicy::None;
        pieces.plainDense = layer(plain, false);
        if (model.experts.count > 0)
            pieces.plainExperts = layer(plain, true);
    }
    pieces.embedding = embeddingTime(model, configuration, cluster);
    if (vocabularyIsSplit(configuration)) {
        pieces.vocabulary =
            outputTime(vocabularyShare(model, configuration), configuration, cluster);
    } else {
        pieces.output = outputTime(model, configuration, cluster);
    }
    // The devices of a tensor group send a part each and gather it on arrival.
    const double t = configuration.tensorParallel;
    const double whole =
        boundaryBytesOf(model, configuration) * (configuration.sequenceParallel ? t : 1);
    pieces.message = whole / t;
    pieces.inside = hopOf(cluster, configuration, false, pieces.message);
    pieces.outside = hopOf(cluster, configuration, true, pieces.message);
    return pieces;
}

std::size_t kindOfRank(const Cluster& cluster, const Configuration& configuration, DeviceId rank)
{
    const int stride = configuration.devices() / configuration.pipelineParallel;
    return cluster.groups.empty() ? 0 : kindOfDevice(cluster, rank * stride);
}

const Cluster& clusterOfRank(const Cluster& cluster, const Configuration& configuration,
                             DeviceId rank)
{
    return cluster.groups.empty() ? cluster
                                  : cluster.groups[kindOfRank(cluster, configuration, rank)];
}

const Pieces& piecesOfRank(const Cluster& cluster, const Configuration& configuration,
                           const Pieces& pieces, DeviceId rank)
{
    return pieces.kinds.empty() ? pieces : pieces.kinds[kindOfRank(cluster, configuration, rank)];
}

void settleSegments(const LanguageModel& model, Configuration& configuration)
{
    const Result<const Family*> family = findFamily(configuration.family);
    const Parameter* segments = family ? findParameter(**family, ParameterRole::Segments) : nullptr;
    if (segments == nullptr || !configuration.segmentLengths.empty() || !model.dense.causal)
        return;
    FamilyOptions options;
    options.parameters = configuration.parameters;
    if (Result<std::vector<int>> lengths =
            equalWorkSegments(model.dense, chosenWhole(options, *segments)))
        configuration.segmentLengths = *std::move(lengths);
}

FamilyOptions familyOptions(const Family& family, const Configuration& configuration,
                            int microBatches)
{
    FamilyOptions options;
    options.devices = configuration.pipelineParallel;
    options.microBatches = microBatches;
    options.parameters = configuration.parameters;
    options.segmentLengths = configuration.segmentLengths;
    if (const Parameter* chunks = findParameter(family, ParameterRole::Chunks))
        options.parameters.emplace_back(chunks->name, configuration.chunks);
    return options;
}

std::vector<int> evenLayers(int layers, int stages)
{
    std::vector<int> split(static_cast<std::size_t>(stages), layers / stages);
    for (int s = 0; s < layers % stages; ++s)
        ++split[static_cast<std::size_t>(s)];
    return split;
}

std::vector<StageLoad> stageLoads(const LanguageModel& model, const Cluster& cluster,
                                  const Evaluation& evaluation)
{
    std::vector<StageLoad> loads;
    const Configuration& c = evaluation.configuration;
    const Result<const Family*> family = findFamily(c.family);
    if (!family)
        return loads;
    const Result<PipelineSpec> spec =
        specOf(**family, familyOptions(**family, c, c.microBatches()));
    if (!spec || static_cast<int>(c.split.size()) != spec->stages())
        return loads;
    const Pieces pieces = piecesOf(model, cluster, c);
    const std::vector<int> first = firstLayers(c.split);
    for (const StageId s : Ids<StageId>(spec->stages())) {
        const auto i = static_cast<std::size_t>(s);
        loads.push_back({c.split[i], spec->device(0, s),
                         stageTimeOn(model, cluster, c, pieces, *spec, s, first[i], c.split[i])
                             .total(traitsOf(c).splitsBackward)});
    }
    return loads;
}

Result<PlannedSchedule> scheduleOf(const LanguageModel& model, const Cluster& cluster,
                                   const Configuration& configuration, int steps)
{
    PW_TRY(const Family* const family, findFamily(configuration.family));
    FamilyOptions options = familyOptions(*family, configuration, configuration.microBatches());
    options.steps = steps;
    PW_TRY(const PipelineSpec spec, specOf(*family, options));
    const Pieces pieces = piecesOf(model, cluster, configuration);
    const std::vector<int> split = configuration.split.empty()
                                       ? balancedSplit(model, cluster, configuration, pieces, spec)
                                       : configuration.split;
    Configuration placed = configuration;
    placed.split = split;
    Costs costs = costsOf(model, cluster, placed, pieces, spec, split);
    addStanding(costs, model, cluster, placed, spec, engineBytes(model, placed, spec));
    addUpdates(costs, model, cluster, placed, spec);
    const std::vector<Bytes> caps = std::exchange(costs.memoryCap, {});
    PW_TRY(Schedule schedule, family->build(spec, options, costs));
    costs.memoryCap = caps;
    if (!family->fixedOrder) {
        const Result<Schedule> capped = family->build(spec, options, costs);
        if (!capped || capped->orders() != schedule.orders())
            costs.memoryCap.clear();
    }
    return PlannedSchedule{std::move(schedule), std::move(costs)};
}

} // namespace pw::plan
