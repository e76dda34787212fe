// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/evaluate.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/around.h"
#include "core/cost/configuration_traits.h"
#include "core/cost/engine_terms.h"
#include "core/cost/offload.h"
#include "core/cost/pipeline_run.h"
#include "core/cost/stage_parts.h"
#include "core/cost/whole.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw::plan {

namespace {

/// All passes of a rank for all micro-batches, by what they go into.
///
/// @param apart  by stage: part of its backwards that are two passes
PassParts passesOfRank(const LanguageModel& model, const Cluster& cluster,
                       const Configuration& configuration, const Pieces& pieces,
                       const PipelineSpec& spec, const std::vector<StageCopy>& copies,
                       const std::vector<double>& apart, DeviceId rank)
{
    const std::vector<int> first = firstLayers(configuration.split);
    PassParts sum;
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId s : Ids<StageId>(spec.stages())) {
            if (spec.device(route, s) != rank)
                continue;
            const auto i = static_cast<std::size_t>(s);
            const PieceTime time = stageTimeOn(model, cluster, configuration, pieces, spec, s,
                                               first[i], configuration.split[i]);
            sum += time.forward;
            sum += apart[i] * time.backward;
            sum += apart[i] * time.weight;
            sum += (1 - apart[i]) * time.joined;
            if (!copies.empty())
                sum.offload += copies[i].exposed;
        }
    }
    return (static_cast<double>(configuration.microBatches()) / spec.routeCount()) * sum;
}

/// The account of a device, in the parts that a plan tells.
MemoryParts memoryOfRank(const PipelineHeld& held, std::size_t rank)
{
    const auto number = [](Bytes bytes) { return static_cast<double>(bytes); };
    const StandingMemory& standing = held.standing[rank];
    const EngineBytes& engine = held.engine[rank];
    MemoryParts memory;
    memory.weights = number(standing.weights);
    memory.versions = number(held.versions[rank]);
    memory.gradients = number(standing.gradients);
    memory.optimizer = number(standing.optimizer);
    memory.activations = number(held.activations[rank] - held.slices[rank]);
    memory.working = number(engine.working);
    memory.buffers = number(engine.messages);
    memory.loss = number(engine.loss + engine.vocabulary);
    memory.slices = number(held.slices[rank] + engine.sliceGradients);
    memory.dummies = number(engine.dummies);
    memory.fragments = number(standing.fragmentsOf(held.activations[rank]));
    return memory;
}

void judgeMemory(Evaluation& evaluation, const Cluster& cluster)
{
    evaluation.fits = true;
    double fullest = 0;
    for (const DeviceId rank : Ids<DeviceId>(evaluation.memory.size())) {
        const Cluster& own = clusterOfRank(cluster, evaluation.configuration, rank);
        const double needed = evaluation.memory[rank.index()].total();
        const double full = needed / own.usableMemory();
        if (needed <= own.usableMemory() || full < fullest)
            continue;
        fullest = full;
        evaluation.fits = false;
        evaluation.reason =
            "pipeline rank " + std::to_string(rank) +
            (cluster.groups.empty() ? std::string() : " (" + std::string(own.device.name) + ")") +
            " needs " + byteText(wholeBytes(needed)) + " of " +
            byteText(wholeBytes(own.usableMemory()));
    }
}

/// What is around the pipeline, by the rank that takes longest.
AroundParts slowestAround(const LanguageModel& model, const Cluster& cluster,
                          const Configuration& configuration,
                          const std::vector<DeviceWeights>& weights, int routes)
{
    if (cluster.groups.empty()) {
        const DeviceWeights& most = *std::max_element(
            weights.begin(), weights.end(),
            [](const DeviceWeights& a, const DeviceWeights& b) { return a.total() < b.total(); });
        return aroundOf(model, cluster, configuration, most, routes);
    }
    AroundParts slowest;
    for (const DeviceId rank : Ids<DeviceId>(weights.size())) {
        const AroundParts own = aroundOf(model, clusterOfRank(cluster, configuration, rank),
                                         configuration, weights[rank.index()], routes);
        slowest.reduction = std::max(slowest.reduction, own.reduction);
        slowest.tied = std::max(slowest.tied, own.tied);
        slowest.optimizer = std::max(slowest.optimizer, own.optimizer);
    }
    return slowest;
}

} // namespace

double Evaluation::peakBytes() const
{
    double peak = 0;
    for (const MemoryParts& rank : memory)
        peak = std::max(peak, rank.total());
    return peak;
}

Result<Evaluation> evaluate(const LanguageModel& model, const Cluster& cluster,
                            const Configuration& configuration, Exactness exactness)
{
    PW_DO(check(model, cluster, configuration));
    return evaluate(model, cluster, configuration, piecesOf(model, cluster, configuration),
                    exactness);
}

Result<Evaluation> evaluate(const LanguageModel& model, const Cluster& cluster,
                            const Configuration& configuration, const Pieces& pieces,
                            Exactness exactness)
{
    PW_TRY(std::optional<Evaluation> evaluation,
           evaluateBelow(model, cluster, configuration, pieces, exactness,
                         std::numeric_limits<double>::infinity()));
    return std::move(*evaluation);
}

Result<std::optional<Evaluation>> evaluateBelow(const LanguageModel& model, const Cluster& cluster,
                                                const Configuration& configuration,
                                                const Pieces& pieces, Exactness exactness,
                                                double seconds)
{
    PW_TRY(const Family* const family, findFamily(configuration.family));
    const int m = configuration.microBatches();
    Evaluation evaluation;
    evaluation.configuration = configuration;
    Configuration& used = evaluation.configuration;
    settleSegments(model, used);
    const FamilyOptions options = familyOptions(*family, used, m);
    PW_TRY(const PipelineSpec spec, specOf(*family, options));
    if (used.split.empty())
        used.split = balancedSplit(model, cluster, used, pieces, spec);
    if (static_cast<int>(used.split.size()) != spec.stages()) {
        return fail(ErrorCode::BadValue, "the split has %1 stages, %2 needs %3", used.split.size(),
                    configuration.family, spec.stages());
    }
    PW_DO(settleShares(used, spec.stages()));
    const bool splitVocabulary = vocabularyIsSplit(used);
    if (splitVocabulary && spec.routeCount() > 1)
        return fail(ErrorCode::BadValue,
                    "vocabulary parallelism is for one copy of the model; %1 has two", used.family);
    PipelineRun run(*family, model, cluster, used, pieces);
    PW_TRY(const PipelineTimes simulated, run.times(exactness));
    IterationParts& parts = evaluation.parts;
    parts.pipeline = simulated.seconds;
    // Between the last F and the first B all devices meet once: the way back begins an interval
    // later. @source arXiv:2411.05288, Vocab-2
    if (splitVocabulary)
        parts.barrier = simulated.busiestSeconds / m;
    const double passes = parts.pipeline + parts.barrier;
    const std::vector<DeviceWeights> weights = weightsByRank(model, used, spec, used.split);
    const AroundParts around = slowestAround(model, cluster, used, weights, spec.routeCount())
                                   .besideSteps(spec.updateRule, m, passes);
    const std::vector<StageCopy> copies = stageCopies(model, cluster, used, pieces, spec);
    parts.busiest = passesOfRank(model, cluster, used, pieces, spec, copies, run.partsApart(),
                                 simulated.busiest);
    evaluation.offload = offloadTimes(copies, spec, simulated.busiest, m);
    // What pairs hide of exchanges between experts no device waits for.
    if (traitsOf(used).pairs)
        parts.busiest.expert -=
            std::clamp(parts.busiest.total() - simulated.busiestSeconds, 0.0, parts.busiest.expert);
    parts.exchange = std::max(simulated.busiestSeconds - parts.busiest.total(), 0.0);
    parts.idle = std::max(simulated.seconds - simulated.busiestSeconds, 0.0);
    parts.reduction = around.reduction;
    if (used.overlapReduction && spec.updateRule == UpdateRule::Flush) {
        const double backward = (parts.busiest.total() / m) * 2 / 3;
        parts.reduction = exposedReduction(around.reduction, backward);
    }
    parts.tied = around.tied;
    parts.optimizer = around.optimizer;
    for (const Cluster* kind : kindsOf(cluster))
        parts.other = std::max(parts.other, kind->constants[Constant::StepTime]);
    evaluation.bubble = 1 - simulated.busySum / (passes * configuration.pipelineParallel);
    evaluation.exposedCommunication = parts.exchange + parts.busiest.tensor + parts.busiest.expert +
                                      parts.busiest.context + parts.reduction + parts.tied;
    if (std::isfinite(seconds) && evaluation.seconds() >= seconds)
        return std::optional<Evaluation>();
    PW_TRY(const PipelineHeld held, run.held());
    evaluation.offload.hostBytes = held.hostBytes;
    for (std::size_t rank = 0; rank < weights.size(); ++rank)
        evaluation.memory.push_back(memoryOfRank(held, rank));
    judgeMemory(evaluation, cluster);
    if (!evaluation.fits && !cluster.groups.empty() && configuration.split.empty())
        return withFittingSplit(model, cluster, evaluation, pieces, exactness);
    return std::optional(std::move(evaluation));
}

double modelUtilisation(const LanguageModel& model, const Cluster& cluster,
                        const Evaluation& evaluation)
{
    return utilisation(sampleFlops(model) * evaluation.configuration.globalBatch,
                       evaluation.seconds(), 1, peakFlopsOf(cluster, model.dense.precision));
}

} // namespace pw::plan
