// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/evaluate.h"

#include "core/base/found_answers.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/around.h"
#include "core/cost/configuration_traits.h"
#include "core/cost/engine_terms.h"
#include "core/cost/offload.h"
#include "core/cost/stage_parts.h"
#include "core/cost/whole.h"
#include "core/sim/memory.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <tuple>

namespace pw::plan {

namespace {

double secondsOfTicks(Ticks ticks)
{
    return static_cast<double>(ticks) / static_cast<double>(ticksPerSecond);
}

struct Simulated
{
    double seconds = 0;
    double busySum = 0; ///< over all devices
    DeviceId busiest{0};
    double busiestSeconds = 0;
    // By device.
    std::vector<StandingMemory> standing;
    std::vector<EngineBytes> engine; ///< of them, what the engine has
    std::vector<Bytes> activations;  ///< most at once
    std::vector<Bytes> slices;       ///< of them, what keys and values in one piece add
    std::vector<Bytes> versions;     ///< of the weights, beside the first
    double hostBytes = 0;
    std::vector<double> apart; ///< by stage: part of its backwards that are two passes
};

/// By stage: the part of its backwards that are B and W.
std::vector<double> partsApart(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    std::vector<double> joined(static_cast<std::size_t>(spec.stages()), 0), apart = joined;
    const auto count = [&](const Pass& pass) {
        if (pass.kind == PassKind::BW || pass.kind == PassKind::W)
            ++(pass.kind == PassKind::W ? apart : joined)[pass.stage.index()];
    };
    for (const EntryId at : schedule.entries()) {
        const OrderEntry entry = schedule.entry(at);
        count(entry.pass);
        if (entry.paired)
            count(entry.partner);
    }
    for (std::size_t s = 0; s < apart.size(); ++s)
        apart[s] /= std::max(apart[s] + joined[s], 1.0);
    return apart;
}

/// Shares of what is offloaded, by the times of a run without copies: they are longer with copies
/// that are not hidden, never shorter.
void findShares(const LanguageModel& model, const Cluster& cluster, Configuration& configuration,
                const Pieces& pieces, const Schedule& schedule, const Costs& costs,
                const SimResult& result)
{
    const std::vector<StageCopy> copies =
        stageCopies(model, cluster, configuration, pieces, schedule.spec());
    configuration.offloadShares = offloadShares(configuration, copies, schedule, costs, result,
                                                hostRates(cluster, configuration));
}

/// What a device has of the engine: of its stages, the one with most of each.
EngineBytes engineOf(const std::vector<EngineBytes>& stages, const std::vector<HostedStage>& hosted)
{
    EngineBytes most;
    for (const HostedStage& one : hosted) {
        const EngineBytes& own = stages[one.stage.index()];
        if (own.buffers() > most.buffers()) {
            most.messages = own.messages;
            most.dummies = own.dummies;
        }
        if (own.workspace() > most.workspace()) {
            most.working = own.working;
            most.loss = own.loss;
            most.sliceGradients = own.sliceGradients;
            most.vocabulary = own.vocabulary;
        }
    }
    return most;
}

/// What every device holds, the activations at its fullest moment.
void findHeld(const Schedule& schedule, const Costs& costs, const SimResult& result,
              const std::vector<EngineBytes>& engine, Simulated& simulated)
{
    const PipelineSpec& spec = schedule.spec();
    const auto chunks = chunksOfDevices(spec);
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const std::vector<HostedStage>& hosted = chunks[device.index()];
        const StandingMemory standing = standingMemory(costs, hosted);
        Bytes activations = result.devices[device.index()].peakActivation;
        // The second of two buffers is there from the first step on.
        Bytes versions =
            spec.updateRule == UpdateRule::DoubleBuffered ? standing.weights : Bytes{0};
        if (spec.updateRule == UpdateRule::Stashed) {
            const MemoryPoint fullest = peakMemory(schedule, costs, result, device);
            activations = fullest.activation();
            versions = fullest.of(MemoryKind::Versions);
        }
        simulated.standing.push_back(standing);
        simulated.engine.push_back(engineOf(engine, hosted));
        simulated.activations.push_back(activations);
        simulated.versions.push_back(versions);
    }
}

/// Steps that an order without a flush runs before each is like the next: until the pipeline is
/// full, and where a step is shorter than that, until weights come from a step that is.
int stepsBeforeSteady(const Configuration& configuration, int microBatches)
{
    const int fill = 2 * configuration.pipelineParallel / microBatches;
    return fill == 0 ? 1 : 3 + fill;
}

/// Keeps of a run what it takes longer than one that is a step shorter.
void keepLastStep(const SimResult& shorter, SimResult& result)
{
    result.makespan -= shorter.makespan;
    for (const DeviceId device : Ids<DeviceId>(result.devices.size())) {
        result.devices[device.index()].busy -= shorter.devices[device.index()].busy;
    }
}

/// The order of a shape for costs; the same for all costs is made and checked once.
Result<std::shared_ptr<const Schedule>> orderOf(const Family& family, const FamilyOptions& options,
                                                const PipelineSpec& spec, const Costs& costs)
{
    const auto make = [&]() -> Result<std::shared_ptr<const Schedule>> {
        PW_TRY(Schedule schedule, family.build(spec, options, costs));
        return std::make_shared<const Schedule>(std::move(schedule));
    };
    constexpr double mostPasses = 20'000;
    const double passes =
        3.0 * spec.routeCount() * spec.stages() * spec.microBatches * spec.segments();
    if (!family.fixedOrder || passes > mostPasses)
        return make();
    using Shape = std::tuple<std::string_view, std::vector<std::pair<std::string, double>>,
                             std::vector<int>, int, int, int>;
    static FoundAnswers<Shape, Result<std::shared_ptr<const Schedule>>> found(100);
    return found.of(Shape(family.id, options.parameters, options.segmentLengths, options.devices,
                          options.microBatches, options.steps),
                    make);
}

/// What keys and values in one piece add to the peak of every device: the same order without them.
Result<void> findSlices(const LanguageModel& model, const Configuration& configuration,
                        const Schedule& schedule, Costs costs, Simulated& simulated)
{
    const PipelineSpec& spec = schedule.spec();
    simulated.slices.assign(simulated.activations.size(), 0);
    if (joinedSliceBytes(model, configuration, spec, 1) <= 0)
        return {};
    for (const StageId s : Ids<StageId>(spec.stages())) {
        const auto i = static_cast<std::size_t>(s);
        costs.activation[i * spec.segmentLengths.size()].activation -=
            wholeBytes(joinedSliceBytes(model, configuration, spec, configuration.split[i]));
    }
    PW_TRY(const SimResult apart, simulate(schedule, costs));
    for (const DeviceId device : Ids<DeviceId>(simulated.activations.size())) {
        const Bytes peak = simulated.activations[device.index()];
        simulated.slices[device.index()] =
            std::max<Bytes>(peak - apart.devices[device.index()].peakActivation, 0);
    }
    return {};
}

/// @param configuration  with its split; gets the shares of what is offloaded
Result<Simulated> simulateOnce(const Family& family, const LanguageModel& model,
                               const Cluster& cluster, Configuration& configuration,
                               const Pieces& pieces, int microBatches)
{
    FamilyOptions options = familyOptions(family, configuration, microBatches);
    const bool flushes = traitsOf(configuration).updates == UpdateRule::Flush;
    if (!flushes)
        options.steps = stepsBeforeSteady(configuration, microBatches) + 1;
    PW_TRY(const PipelineSpec spec, specOf(family, options));
    const std::vector<EngineBytes> engine = engineBytes(model, configuration, spec);
    const auto make = [&] {
        Costs made = costsOf(model, cluster, configuration, pieces, spec, configuration.split);
        addStanding(made, model, cluster, configuration, spec, engine);
        made.memoryCap.clear(); // what does not fit is told with what it needs
        return made;
    };
    Costs costs = make();
    PW_DO(check(costs, spec));
    PW_TRY(const std::shared_ptr<const Schedule> order, orderOf(family, options, spec, costs));
    const Schedule& schedule = *order;
    thread_local Simulator simulator;
    thread_local SimResult result;
    PW_DO(simulator.run(schedule, costs, result));
    const bool offloads = configuration.offload != OffloadPolicy::None;
    if (offloads && configuration.offloadShares.empty()) {
        findShares(model, cluster, configuration, pieces, schedule, costs, result);
        costs = make();
        PW_DO(simulator.run(schedule, costs, result));
    }
    Simulated simulated;
    findHeld(schedule, costs, result, engine, simulated);
    const FamilyTraits traits = traitsOf(configuration);
    const auto stages = static_cast<std::size_t>(spec.stages());
    simulated.apart = traits.fused || traits.splitsBackward
                          ? std::vector<double>(stages, traits.fused ? 0 : 1)
                          : partsApart(schedule);
    if (!flushes) {
        --options.steps;
        PW_TRY(const PipelineSpec before, specOf(family, options));
        PW_TRY(const std::shared_ptr<const Schedule> shorter,
               orderOf(family, options, before, costs));
        PW_TRY(const SimResult without, simulate(*shorter, costs));
        keepLastStep(without, result);
    }
    simulated.seconds = secondsOfTicks(result.makespan);
    for (const DeviceId device : Ids<DeviceId>(result.devices.size())) {
        const DeviceResult& own = result.devices[device.index()];
        const double busy = secondsOfTicks(own.busy);
        simulated.busySum += busy;
        // Without a flush, a few steps may not be the steady state yet: none is shorter than its
        // work.
        simulated.seconds = std::max(simulated.seconds, busy);
        if (busy > simulated.busiestSeconds) {
            simulated.busiestSeconds = busy;
            simulated.busiest = device;
        }
    }
    PW_DO(findSlices(model, configuration, schedule, costs, simulated));
    if (offloads) {
        const std::vector<double> rates = hostRates(cluster, configuration);
        for (std::size_t d = 0; d < simulated.activations.size(); ++d) {
            const OffloadedPeak peak = offloadedPeak(schedule, costs, result, DeviceId(d),
                                                     configuration.offloadShares, rates[d]);
            Bytes& held = simulated.activations[d];
            held = std::min(held, peak.device);
            simulated.slices[d] = std::min(simulated.slices[d], held);
            simulated.hostBytes = std::max(simulated.hostBytes, static_cast<double>(peak.host));
        }
    }
    return simulated;
}

/// The simulated pipeline. With many micro-batches the order repeats itself every p of them in its
/// middle, so that a part with as many more as p leave no rest says how long all take.
Result<Simulated> simulatePipeline(const Family& family, const LanguageModel& model,
                                   const Cluster& cluster, Configuration& configuration,
                                   const Pieces& pieces, Exactness exactness)
{
    const int m = configuration.microBatches();
    const int p = configuration.pipelineParallel;
    constexpr int wholePeriods = 4, fewPasses = 4000;
    const auto slices =
        static_cast<int>(std::max<std::size_t>(configuration.segmentLengths.size(), 1));
    const bool few = p > 1 && 3 * m * configuration.stages() * slices <= fewPasses;
    if (exactness == Exactness::All || few || m <= (wholePeriods + 2) * p)
        return simulateOnce(family, model, cluster, configuration, pieces, m);
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
    // An order that keeps all micro-batches keeps those that are left out too.
    const auto extend = [more = (m - less - p) / p](std::vector<Bytes>& held,
                                                    const std::vector<Bytes>& before) {
        for (std::size_t d = 0; d < held.size(); ++d)
            held[d] += more * (held[d] - before[d]);
    };
    extend(longer->activations, shorter->activations);
    extend(longer->slices, shorter->slices);
    // What is repeated may not be the steady state yet, but no pipeline is shorter than its bound.
    PW_TRY(const PipelineSpec spec, specOf(family, familyOptions(family, configuration, m)));
    const Costs costs = costsOf(model, cluster, configuration, pieces, spec, configuration.split);
    longer->seconds =
        std::max(longer->seconds, leastPipelineSeconds(costs, spec, traitsOf(configuration)));
    return longer;
}

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
MemoryParts memoryOfRank(const Simulated& simulated, std::size_t rank)
{
    const auto number = [](Bytes bytes) { return static_cast<double>(bytes); };
    const StandingMemory& standing = simulated.standing[rank];
    const EngineBytes& engine = simulated.engine[rank];
    MemoryParts memory;
    memory.weights = number(standing.weights);
    memory.versions = number(simulated.versions[rank]);
    memory.gradients = number(standing.gradients);
    memory.optimizer = number(standing.optimizer);
    memory.activations =
        number(simulated.activations[rank] - simulated.slices[rank] + engine.vocabulary);
    memory.working = number(engine.working);
    memory.buffers = number(engine.messages);
    memory.loss = number(engine.loss);
    memory.slices = number(simulated.slices[rank] + engine.sliceGradients);
    memory.dummies = number(engine.dummies);
    memory.fragments = number(standing.fragmentsOf(simulated.activations[rank]));
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
    PW_TRY(Simulated simulated, simulatePipeline(*family, model, cluster, used, pieces, exactness));
    // Between the last F and the first B all devices meet once: the way back begins an interval
    // later. @source arXiv:2411.05288, Vocab-2
    if (splitVocabulary)
        simulated.seconds += simulated.busiestSeconds / m;
    const std::vector<DeviceWeights> weights = weightsByRank(model, used, spec, used.split);
    const AroundParts around = slowestAround(model, cluster, used, weights, spec.routeCount())
                                   .besideSteps(spec.updateRule, m, simulated.seconds);
    IterationParts& parts = evaluation.parts;
    parts.pipeline = simulated.seconds;
    const std::vector<StageCopy> copies = stageCopies(model, cluster, used, pieces, spec);
    parts.busiest = passesOfRank(model, cluster, used, pieces, spec, copies, simulated.apart,
                                 simulated.busiest);
    evaluation.offload = offloadTimes(copies, spec, simulated.busiest, m);
    evaluation.offload.hostBytes = simulated.hostBytes;
    // What pairs hide of exchanges between experts no device waits for.
    if (traitsOf(used).pairs)
        parts.busiest.expert -=
            std::clamp(parts.busiest.total() - simulated.busiestSeconds, 0.0, parts.busiest.expert);
    parts.exchange = std::max(simulated.busiestSeconds - parts.busiest.total(), 0.0);
    parts.idle = std::max(simulated.seconds - simulated.busiestSeconds, 0.0);
    parts.reduction = around.reduction;
    if (used.overlapReduction && spec.updateRule == UpdateRule::Flush) {
        // The last micro-batch's backward hides it, but for the last bucket.
        constexpr double lastBucket = 0.1;
        const double backward = (parts.busiest.total() / m) * 2 / 3;
        parts.reduction = std::max(around.reduction - backward, lastBucket * around.reduction);
    }
    parts.tied = around.tied;
    parts.optimizer = around.optimizer;
    for (const Cluster* kind : kindsOf(cluster))
        parts.other = std::max(parts.other, kind->constants[Constant::StepTime]);
    evaluation.bubble =
        1 - simulated.busySum / (simulated.seconds * configuration.pipelineParallel);
    evaluation.exposedCommunication = parts.exchange + parts.busiest.tensor + parts.busiest.expert +
                                      parts.busiest.context + parts.reduction + parts.tied;
    for (std::size_t rank = 0; rank < weights.size(); ++rank)
        evaluation.memory.push_back(memoryOfRank(simulated, rank));
    judgeMemory(evaluation, cluster);
    if (!evaluation.fits && !cluster.groups.empty() && configuration.split.empty())
        return withFittingSplit(model, cluster, evaluation, pieces, exactness);
    return evaluation;
}

double modelUtilisation(const LanguageModel& model, const Cluster& cluster,
                        const Evaluation& evaluation)
{
    return utilisation(sampleFlops(model) * evaluation.configuration.globalBatch,
                       evaluation.seconds(), 1, peakFlopsOf(cluster, model.dense.precision));
}

} // namespace pw::plan
