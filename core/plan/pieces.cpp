// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/plan/engine_terms.h"
#include "core/plan/evaluate.h"
#include "core/plan/offload.h"
#include "core/plan/stage_parts.h"
#include "core/plan/whole.h"

#include <algorithm>

namespace pw::plan {

Pieces piecesOf(const PlanModel& model, const Cluster& cluster, const Configuration& configuration)
{
    Pieces pieces;
    for (const Cluster& group : cluster.groups)
        pieces.kinds.push_back(piecesOf(model, group, configuration));
    pieces.dense = layerTime(model, configuration, cluster, false);
    if (model.experts.count > 0)
        pieces.experts = layerTime(model, configuration, cluster, true);
    if (configuration.recomputedLayers > 0) {
        Configuration plain = configuration;
        plain.recompute = RecomputePolicy::None;
        pieces.plainDense = layerTime(model, plain, cluster, false);
        if (model.experts.count > 0)
            pieces.plainExperts = layerTime(model, plain, cluster, true);
    }
    pieces.embedding = embeddingTime(model, configuration, cluster);
    if (vocabularyIsSplit(configuration)) {
        PlanModel part = model;
        part.dense.vocabulary = (model.dense.vocabulary + configuration.pipelineParallel - 1) /
                                configuration.pipelineParallel;
        pieces.vocabulary = outputTime(part, configuration, cluster);
    } else {
        pieces.output = outputTime(model, configuration, cluster);
    }
    if (configuration.pipelineParallel > 1) {
        // The devices of a tensor group send a part each and gather it on arrival.
        const double t = configuration.tensorParallel;
        const double whole =
            boundaryBytesOf(model, configuration) * (configuration.sequenceParallel ? t : 1);
        const double gather =
            configuration.sequenceParallel
                ? 0
                : gatherSeconds(cluster, groupOf(cluster, configuration.tensorParallel, 1), whole);
        const int apart = configuration.devices() / configuration.pipelineParallel;
        pieces.hopInside = messageSeconds(cluster, false, whole / t, apart) + gather;
        pieces.hopOutside = messageSeconds(cluster, true, whole / t, apart) + gather;
    }
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

FamilyOptions familyOptions(const Family& family, const Configuration& configuration,
                            int microBatches)
{
    FamilyOptions options;
    options.devices = configuration.pipelineParallel;
    options.microBatches = microBatches;
    options.parameters = configuration.parameters;
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

Costs costsOf(const PlanModel& model, const Cluster& cluster, const Configuration& configuration,
              const Pieces& pieces, const PipelineSpec& spec, const std::vector<int>& split)
{
    const int stages = spec.stages();
    const std::vector<int> first = firstLayers(split);
    Configuration placed = configuration;
    placed.split = split;
    const std::vector<StageCopy> copies = stageCopies(model, cluster, placed, pieces, spec);
    Costs costs;
    costs.activation = activationShares(spec, 1, 0);
    for (const StageId s : Ids<StageId>(stages)) {
        const auto i = static_cast<std::size_t>(s);
        const bool isFirst = s == 0, isLast = s == stages - 1;
        const PieceTime time =
            stageTimeOn(model, cluster, configuration, pieces, spec, s, first[i], split[i]);
        const Cluster& own = clusterOfRank(cluster, configuration, spec.device(0, s));
        const double busy =
            configuration.pipelineParallel > 1 ? own.constants[Constant::ExchangeTime] : 0;
        const StageBytes bytes =
            stageBytes(model, configuration, first[i], split[i], isFirst, isLast);
        // Segments of a sequence take their part of its time.
        double length = 0;
        for (const int segment : spec.segmentLengths)
            length += segment;
        for (std::size_t k = 0; k < spec.segmentLengths.size(); ++k) {
            const double part = spec.segmentLengths[k] / length;
            // What no pass hides is waited for, one way after F and the other before B.
            const double open = copies.empty() ? 0 : part * copies[i].exposed / 2;
            costs.forward.push_back(ticksOfSeconds(part * time.forward.total() + busy + open));
            costs.backward.push_back(ticksOfSeconds(part * time.backward.total() + busy + open));
            costs.weight.push_back(ticksOfSeconds(part * time.weight.total()));
            ActivationCost& activation = costs.activation[i * spec.segmentLengths.size() + k];
            activation.activation = wholeBytes(part * bytes.activation);
            // The piece is there as long as the first slice: its B is the last.
            if (k == 0)
                activation.activation +=
                    wholeBytes(joinedSliceBytes(model, configuration, spec, split[i]));
            activation.keptForWeight = wholeBytes(part * bytes.kept);
            activation.stash = wholeBytes(part * bytes.stash);
        }
    }
    const int p = spec.devices;
    const int stride = configuration.devices() / configuration.pipelineParallel;
    costs.links.resize(static_cast<std::size_t>(p) * static_cast<std::size_t>(p));
    for (const DeviceId from : Ids<DeviceId>(p)) {
        for (const DeviceId to : Ids<DeviceId>(p)) {
            if (from == to)
                continue;
            const bool crosses =
                nodeOfDevice(cluster, from * stride) != nodeOfDevice(cluster, to * stride);
            const Pieces& a = piecesOfRank(cluster, configuration, pieces, from);
            const Pieces& b = piecesOfRank(cluster, configuration, pieces, to);
            // Between two kinds the slower link counts.
            const int link = from * p + to;
            costs.links[static_cast<std::size_t>(link)].latency =
                ticksOfSeconds(crosses ? std::max(a.hopOutside, b.hopOutside)
                                       : std::max(a.hopInside, b.hopInside));
        }
    }
    return costs;
}

std::vector<StageLoad> stageLoads(const PlanModel& model, const Cluster& cluster,
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
        loads.push_back(
            {c.split[i], spec->device(0, s),
             stageTimeOn(model, cluster, c, pieces, *spec, s, first[i], c.split[i]).total()});
    }
    return loads;
}

Result<PlannedSchedule> scheduleOf(const PlanModel& model, const Cluster& cluster,
                                   const Configuration& configuration)
{
    PW_TRY(const Family* const family, findFamily(configuration.family));
    const FamilyOptions options =
        familyOptions(*family, configuration, configuration.microBatches());
    PW_TRY(const PipelineSpec spec, specOf(*family, options));
    const Pieces pieces = piecesOf(model, cluster, configuration);
    const std::vector<int> split = configuration.split.empty()
                                       ? balancedSplit(model, cluster, configuration, pieces, spec)
                                       : configuration.split;
    Costs costs = costsOf(model, cluster, configuration, pieces, spec, split);
    PW_TRY(Schedule schedule, family->build(spec, options, costs));
    return PlannedSchedule{std::move(schedule), std::move(costs)};
}

} // namespace pw::plan
