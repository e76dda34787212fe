// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/evaluate.h"

#include "core/base/text.h"
#include "core/plan/around.h"
#include "core/plan/offload.h"
#include "core/plan/stage_parts.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

/// What is more than a table of costs takes becomes too much for it, and is refused with it.
constexpr double planMost = 4e18;

Ticks ticksOfSeconds(double seconds)
{
    return static_cast<Ticks>(
        std::llround(std::min(seconds * static_cast<double>(ticksPerSecond), planMost)));
}

Bytes wholeBytes(double bytes)
{
    return static_cast<Bytes>(std::min(bytes, planMost));
}

double secondsOfTicks(Ticks ticks)
{
    return static_cast<double>(ticks) / static_cast<double>(ticksPerSecond);
}

struct Simulated
{
    double seconds = 0;
    double busySum = 0; ///< over all devices
    int busiest = 0;
    double busiestSeconds = 0;
    std::vector<Bytes> peaks;
    double hostBytes = 0;
};

/// Shares of what is offloaded, by the times of a run without copies: they are longer with copies
/// that are not hidden, never shorter.
void findShares(const PlanModel& model, const Cluster& cluster, Configuration& configuration,
                const Pieces& pieces, const Schedule& schedule, const Costs& costs,
                const SimResult& result)
{
    const std::vector<StageCopy> copies =
        stageCopies(model, cluster, configuration, pieces, schedule.spec());
    configuration.offloadShares =
        offloadShares(configuration, copies, schedule, costs, result, hostRate(cluster));
}

/// @param configuration  with its split; gets the shares of what is offloaded
Result<Simulated> simulateOnce(const Family& family, const PlanModel& model, const Cluster& cluster,
                               Configuration& configuration, const Pieces& pieces, int microBatches)
{
    const FamilyOptions options = familyOptions(family, configuration, microBatches);
    const Result<PipelineSpec> spec = specOf(family, options);
    if (!spec)
        return fail(spec.error());
    Costs costs = costsOf(model, cluster, configuration, pieces, *spec, configuration.split);
    if (const Result<void> good = check(costs, *spec); !good)
        return fail(good.error());
    const Result<Schedule> schedule = family.build(*spec, options, costs);
    if (!schedule)
        return fail(schedule.error());
    thread_local Simulator simulator;
    thread_local SimResult result;
    if (const Result<void> ran = simulator.run(*schedule, costs, result); !ran)
        return fail(ran.error());
    const bool offloads = configuration.offload != OffloadPolicy::None;
    if (offloads && configuration.offloadShares.empty()) {
        findShares(model, cluster, configuration, pieces, *schedule, costs, result);
        costs = costsOf(model, cluster, configuration, pieces, *spec, configuration.split);
        if (const Result<void> ran = simulator.run(*schedule, costs, result); !ran)
            return fail(ran.error());
    }
    Simulated simulated;
    simulated.seconds = secondsOfTicks(result.makespan);
    for (std::size_t d = 0; d < result.devices.size(); ++d) {
        const double busy = secondsOfTicks(result.devices[d].busy);
        simulated.busySum += busy;
        if (busy > simulated.busiestSeconds) {
            simulated.busiestSeconds = busy;
            simulated.busiest = static_cast<int>(d);
        }
        simulated.peaks.push_back(result.devices[d].peakActivation);
    }
    if (offloads) {
        for (std::size_t d = 0; d < simulated.peaks.size(); ++d) {
            const OffloadedPeak peak =
                offloadedPeak(*schedule, costs, result, static_cast<int>(d),
                              configuration.offloadShares, hostRate(cluster));
            simulated.peaks[d] = std::min(simulated.peaks[d], peak.device);
            simulated.hostBytes = std::max(simulated.hostBytes, static_cast<double>(peak.host));
        }
    }
    return simulated;
}

/// The simulated pipeline. With many micro-batches the order repeats itself every p of them in its
/// middle, so that a part with as many more as p leave no rest says how long all take.
Result<Simulated> simulatePipeline(const Family& family, const PlanModel& model,
                                   const Cluster& cluster, Configuration& configuration,
                                   const Pieces& pieces, Exactness exactness)
{
    const int m = configuration.microBatches();
    const int p = configuration.pipelineParallel;
    constexpr int wholePeriods = 4, fewPasses = 4000;
    const bool few = 3 * m * configuration.stages() <= fewPasses;
    if (exactness == Exactness::All || few || m <= (wholePeriods + 2) * p || p == 1) {
        constexpr int alone = 2;
        if (p > 1 || m <= alone)
            return simulateOnce(family, model, cluster, configuration, pieces, m);
        Result<Simulated> two = simulateOnce(family, model, cluster, configuration, pieces, alone);
        if (two) {
            const double factor = static_cast<double>(m) / alone;
            two->seconds *= factor;
            two->busySum *= factor;
            two->busiestSeconds *= factor;
        }
        return two;
    }
    const int less = wholePeriods * p + m % p;
    const Result<Simulated> shorter =
        simulateOnce(family, model, cluster, configuration, pieces, less);
    if (!shorter)
        return shorter;
    Result<Simulated> longer =
        simulateOnce(family, model, cluster, configuration, pieces, less + p);
    if (!longer)
        return longer;
    const double periods = static_cast<double>(m - less - p) / p;
    longer->seconds += periods * (longer->seconds - shorter->seconds);
    longer->busySum += periods * (longer->busySum - shorter->busySum);
    longer->busiestSeconds += periods * (longer->busiestSeconds - shorter->busiestSeconds);
    return longer;
}

/// All passes of a rank for all micro-batches, by what they go into.
PassParts passesOfRank(const PlanModel& model, const Configuration& configuration,
                       const Pieces& pieces, const PipelineSpec& spec,
                       const std::vector<StageCopy>& copies, int rank)
{
    const std::vector<int> first = firstLayers(configuration.split);
    const PieceTime vocabulary = vocabularyTime(pieces, spec);
    PassParts sum;
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (int s = 0; s < spec.stages(); ++s) {
            if (spec.device(route, s) != rank)
                continue;
            const auto i = static_cast<std::size_t>(s);
            const PieceTime time =
                stageTime(model, configuration, pieces, first[i], configuration.split[i], s == 0,
                          s == spec.stages() - 1) +
                vocabulary;
            sum += time.forward;
            sum += time.backward;
            sum += time.weight;
            if (!copies.empty())
                sum.offload += copies[i].exposed;
        }
    }
    return (static_cast<double>(configuration.microBatches()) / spec.routeCount()) * sum;
}

std::vector<MemoryParts> memoryOfRanks(const PlanModel& model, const Configuration& configuration,
                                       const PipelineSpec& spec,
                                       const std::vector<DeviceWeights>& weights,
                                       const std::vector<Bytes>& peaks)
{
    constexpr double fragmentPart = 0.02;
    std::vector<MemoryParts> ranks;
    for (std::size_t rank = 0; rank < weights.size(); ++rank) {
        MemoryParts memory = staticMemory(model, configuration, weights[rank]);
        memory.activations = static_cast<double>(peaks[rank]);
        if (vocabularyIsSplit(configuration))
            memory.activations +=
                vocabularyBytes(model, configuration, spec, static_cast<int>(rank));
        memory.fragments = fragmentPart * (memory.activations + memory.working);
        ranks.push_back(memory);
    }
    return ranks;
}

void judgeMemory(Evaluation& evaluation, const Cluster& cluster)
{
    evaluation.fits = true;
    for (std::size_t rank = 0; rank < evaluation.memory.size(); ++rank) {
        const double needed = evaluation.memory[rank].total();
        if (needed <= cluster.usableMemory() || needed < evaluation.peakBytes())
            continue;
        evaluation.fits = false;
        evaluation.reason = "pipeline rank " + std::to_string(rank) + " needs " +
                            byteText(wholeBytes(needed)) + " of " +
                            byteText(wholeBytes(cluster.usableMemory()));
    }
}

} // namespace

double Evaluation::peakBytes() const
{
    double peak = 0;
    for (const MemoryParts& rank : memory)
        peak = std::max(peak, rank.total());
    return peak;
}

Pieces piecesOf(const PlanModel& model, const Cluster& cluster, const Configuration& configuration)
{
    Pieces pieces;
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

FamilyOptions familyOptions(const Family& family, const Configuration& configuration,
                            int microBatches)
{
    FamilyOptions options;
    options.devices = configuration.pipelineParallel;
    options.microBatches = microBatches;
    options.parameters = configuration.parameters;
    const bool chunked = std::any_of(family.parameters.begin(), family.parameters.end(),
                                     [](const Parameter& p) { return p.name == "chunks"; });
    if (chunked)
        options.parameters.emplace_back("chunks", configuration.chunks);
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
    const double busy =
        configuration.pipelineParallel > 1 ? cluster.constants[Constant::ExchangeTime] : 0;
    const PieceTime vocabulary = vocabularyTime(pieces, spec);
    Configuration placed = configuration;
    placed.split = split;
    const std::vector<StageCopy> copies = stageCopies(model, cluster, placed, pieces, spec);
    Costs costs;
    costs.activation = activationShares(spec, 1, 0);
    for (int s = 0; s < stages; ++s) {
        const auto i = static_cast<std::size_t>(s);
        const bool isFirst = s == 0, isLast = s == stages - 1;
        const PieceTime time =
            stageTime(model, configuration, pieces, first[i], split[i], isFirst, isLast) +
            vocabulary;
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
            activation.keptForWeight = wholeBytes(part * bytes.kept);
            activation.stash = wholeBytes(part * bytes.stash);
        }
    }
    const int p = spec.devices;
    const int stride = configuration.devices() / configuration.pipelineParallel;
    const int node = cluster.device.devicesPerNode;
    costs.links.resize(static_cast<std::size_t>(p) * static_cast<std::size_t>(p));
    for (int from = 0; from < p; ++from) {
        for (int to = 0; to < p; ++to) {
            if (from == to)
                continue;
            const bool crosses = from * stride / node != to * stride / node;
            costs.links[static_cast<std::size_t>(from * p + to)].latency =
                ticksOfSeconds(crosses ? pieces.hopOutside : pieces.hopInside);
        }
    }
    return costs;
}

Result<PlannedSchedule> scheduleOf(const PlanModel& model, const Cluster& cluster,
                                   const Configuration& configuration)
{
    const Result<const Family*> family = findFamily(configuration.family);
    if (!family)
        return fail(family.error());
    const FamilyOptions options =
        familyOptions(**family, configuration, configuration.microBatches());
    const Result<PipelineSpec> spec = specOf(**family, options);
    if (!spec)
        return fail(spec.error());
    const Pieces pieces = piecesOf(model, cluster, configuration);
    const std::vector<int> split =
        configuration.split.empty() ? balancedSplit(model, pieces, *spec) : configuration.split;
    Costs costs = costsOf(model, cluster, configuration, pieces, *spec, split);
    Result<Schedule> schedule = (*family)->build(*spec, options, costs);
    if (!schedule)
        return fail(schedule.error());
    return PlannedSchedule{std::move(*schedule), std::move(costs)};
}

Result<Evaluation> evaluate(const PlanModel& model, const Cluster& cluster,
                            const Configuration& configuration, Exactness exactness)
{
    if (const Result<void> good = check(model, cluster, configuration); !good)
        return fail(good.error());
    return evaluate(model, cluster, configuration, piecesOf(model, cluster, configuration),
                    exactness);
}

Result<Evaluation> evaluate(const PlanModel& model, const Cluster& cluster,
                            const Configuration& configuration, const Pieces& pieces,
                            Exactness exactness)
{
    const Result<const Family*> family = findFamily(configuration.family);
    if (!family)
        return fail(family.error());
    const int m = configuration.microBatches();
    const FamilyOptions options = familyOptions(**family, configuration, m);
    const Result<PipelineSpec> spec = specOf(**family, options);
    if (!spec)
        return fail(spec.error());
    Evaluation evaluation;
    evaluation.configuration = configuration;
    Configuration& used = evaluation.configuration;
    if (used.split.empty())
        used.split = balancedSplit(model, pieces, *spec);
    if (static_cast<int>(used.split.size()) != spec->stages()) {
        return fail(ErrorCode::BadValue, "the split has " + std::to_string(used.split.size()) +
                                             " stages, " + configuration.family + " needs " +
                                             std::to_string(spec->stages()));
    }
    if (const Result<void> good = settleShares(used, spec->stages()); !good)
        return fail(good.error());
    const bool splitVocabulary = vocabularyIsSplit(used);
    if (splitVocabulary && spec->routeCount() > 1)
        return fail(ErrorCode::BadValue, "vocabulary parallelism is for one copy of the model; " +
                                             used.family + " has two");
    Result<Simulated> simulated =
        simulatePipeline(**family, model, cluster, used, pieces, exactness);
    if (!simulated)
        return fail(simulated.error());
    // Between the last F and the first B all devices meet once: the way back begins an interval
    // later. @source arXiv:2411.05288, Vocab-2
    if (splitVocabulary)
        simulated->seconds += simulated->busiestSeconds / m;
    const std::vector<DeviceWeights> weights = weightsByRank(model, used, *spec, used.split);
    const DeviceWeights& most = *std::max_element(
        weights.begin(), weights.end(),
        [](const DeviceWeights& a, const DeviceWeights& b) { return a.total() < b.total(); });
    const AroundParts around = aroundOf(model, cluster, used, most);
    IterationParts& parts = evaluation.parts;
    parts.pipeline = simulated->seconds;
    const std::vector<StageCopy> copies = stageCopies(model, cluster, used, pieces, *spec);
    parts.busiest = passesOfRank(model, used, pieces, *spec, copies, simulated->busiest);
    evaluation.offload = offloadTimes(copies, *spec, simulated->busiest, m);
    evaluation.offload.hostBytes = simulated->hostBytes;
    parts.exchange = std::max(simulated->busiestSeconds - parts.busiest.total(), 0.0);
    parts.idle = std::max(simulated->seconds - simulated->busiestSeconds, 0.0);
    parts.reduction = around.reduction;
    if (used.overlapReduction) {
        // The last micro-batch's backward hides it, but for the last bucket.
        constexpr double lastBucket = 0.1;
        const double backward = (parts.busiest.total() / m) * 2 / 3;
        parts.reduction = std::max(around.reduction - backward, lastBucket * around.reduction);
    }
    parts.tied = around.tied;
    parts.optimizer = around.optimizer;
    parts.other = cluster.constants[Constant::StepTime];
    evaluation.bubble =
        1 - simulated->busySum / (simulated->seconds * configuration.pipelineParallel);
    evaluation.exposedCommunication = parts.exchange + parts.busiest.tensor + parts.busiest.expert +
                                      parts.busiest.context + parts.reduction + parts.tied;
    evaluation.memory = memoryOfRanks(model, used, *spec, weights, simulated->peaks);
    judgeMemory(evaluation, cluster);
    return evaluation;
}

double modelUtilisation(const PlanModel& model, const Cluster& cluster,
                        const Evaluation& evaluation)
{
    return utilisation(sampleFlops(model) * evaluation.configuration.globalBatch,
                       evaluation.seconds(), cluster.devices, cluster.device.peakFlops);
}

} // namespace pw::plan
