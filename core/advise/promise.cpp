// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/promise.h"

#include "core/base/medians.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/carry_ranks.h"
#include "core/job/order_graph.h"
#include "core/model/pass_kinds.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

namespace pw {

namespace {

using TimeTable = std::vector<Ticks> Costs::*;
constexpr std::array<TimeTable, 6> timeTables = {&Costs::forward, &Costs::backward,  &Costs::weight,
                                                 &Costs::fused,   &Costs::recompute, &Costs::pair};

constexpr double likelyAttention = 0.15, mostAttention = 0.3;
constexpr double likelyFixedOfSegment = 0.05, mostFixedOfSegment = 0.1;

/// What is not known, as it may be.
struct World
{
    std::optional<double> weightPart; ///< of a BW, where only these were measured
    double cutBackward = 0;           ///< by how much B and W take longer than their BW
    const Costs* costs = nullptr;     ///< in the place of those measured
    double passes = 1;                ///< every pass takes so many times as long as measured
    Unlike unlike = Unlike::Layers;
    double fixedPart = 0; ///< of a pass, however many layers it has
    std::optional<Ticks> fixedTime;
    double again = 1;       ///< a forward that is computed again, of what it is taken to be
    bool endsAgain = false; ///< embedding, head and loss are among it
    double hostRate = 1;    ///< of the one that is taken
    double attention = likelyAttention; ///< of a pass, that grows with its place in the sequence
    double fixedOfSegment = likelyFixedOfSegment; ///< of the median forward, that each segment has
    double messageBytes = 0.5; ///< of a message's time, that is less where a segment is sent
};

constexpr double leastAgain = 0.78, mostAgain = 1.12;
constexpr double leastHostRate = 0.5, leastSaidHostRate = 0.85;
constexpr double leastWeightPart = 0.3, mostWeightPart = 0.55;
constexpr double mostCutBackward = 0.04;
constexpr double mostFixedPart = 0.05;
constexpr double mostFixedOfSize = 0.2; // of the median forward
constexpr double profilerPart = 0.03;
constexpr double usualDrift = 0.005; // of a step, between two runs of the same

Ticks timesFactor(Ticks time, double factor)
{
    return std::clamp<Ticks>(std::llround(static_cast<double>(time) * factor), 0, longestPass);
}

bool knowsSplit(const WhatIfBase& base)
{
    return base.known[static_cast<std::size_t>(PassKind::B)] &&
           base.known[static_cast<std::size_t>(PassKind::W)];
}

Recomputation recomputationIn(const AdviceSource& source, const World& world)
{
    Recomputation made = source.recomputation;
    made.forward *= world.again;
    made.ends = made.ends || world.endsAgain;
    made.hostRate *= world.hostRate;
    return made;
}

WhatIfBase baseIn(const AdviceSource& source, const PlannedChange& change, const World& world)
{
    WhatIfBase base = source.base;
    if (world.costs != nullptr) {
        base.costs = *world.costs;
        base.costs.activation = source.base.costs.activation;
    }
    for (const TimeTable table : timeTables)
        for (Ticks& time : base.costs.*table)
            time = timesFactor(time, world.passes);
    const bool other = world.weightPart || world.cutBackward > 0 || world.again != 1 ||
                       world.endsAgain || !source.recomputed.empty();
    if (!knowsSplit(base) && other) {
        const std::optional<double> said = change.what.weightPart;
        cutBackwards(source, world.weightPart.value_or(said.value_or(assumedWeightPart)),
                     world.cutBackward, recomputationIn(source, world), base.costs);
        // What is said is counted here, where it is known what of a backward is computed again.
        if (world.weightPart || world.cutBackward > 0 || said)
            base.known[static_cast<std::size_t>(PassKind::B)] =
                base.known[static_cast<std::size_t>(PassKind::W)] = true;
    }
    if (change.noGaps)
        base.edges = {};
    return base;
}

/// A pass that is cut keeps what of it is fixed.
void keepFixed(const Costs& before, int pieces, double part, Costs& costs)
{
    for (const TimeTable table : timeTables) {
        if ((before.*table).empty() || (costs.*table).empty())
            continue;
        std::vector<double> times((before.*table).begin(), (before.*table).end());
        const auto more =
            static_cast<Ticks>(medianOf(std::move(times)) * part * (pieces - 1) / pieces);
        for (Ticks& time : costs.*table)
            time = std::min(time + more, longestPass);
    }
}

/// Passes of segments of what was one whole: what is fixed of them they all have, and later ones
/// see more of the sequence.
void segment(const PlannedChange& change, const World& world, const PipelineSpec& to, Costs& costs)
{
    const double whole = std::accumulate(to.segmentLengths.begin(), to.segmentLengths.end(), 0.0);
    std::vector<double> forward(costs.forward.begin(), costs.forward.end());
    const double fixed = change.fixedTime
                             ? static_cast<double>(*change.fixedTime)
                             : world.fixedOfSegment * medianOf(std::move(forward)) * to.segments();
    for (const TimeTable table : timeTables)
        for (std::size_t cell = 0; cell < (costs.*table).size(); ++cell) {
            const auto place = cell % to.segmentLengths.size();
            const double before =
                std::accumulate(to.segmentLengths.begin(),
                                to.segmentLengths.begin() + static_cast<std::ptrdiff_t>(place),
                                0.0) /
                whole;
            const double part = to.segmentLengths[place] / whole;
            const double seen = 1 + world.attention * (2 * before + part - 1);
            const auto time = static_cast<double>((costs.*table)[cell]);
            (costs.*table)[cell] = timesFactor(1, std::max(0.0, time - part * fixed) * seen +
                                                      std::min(fixed, time / part));
        }
    const auto segments = static_cast<double>(to.segments());
    costs.link.latency =
        timesFactor(costs.link.latency, 1 - world.messageBytes + world.messageBytes / segments);
}

/// Passes of micro-batches of another size.
void resize(double size, Ticks fixed, Costs& costs)
{
    for (const TimeTable table : timeTables)
        for (Ticks& time : costs.*table) {
            const Ticks stays = std::min(fixed, time);
            time = stays + timesFactor(time - stays, size);
        }
    costs.link.latency = timesFactor(costs.link.latency, size);
    for (ActivationCost& cell : costs.activation)
        for (Bytes ActivationCost::*bytes :
             {&ActivationCost::activation, &ActivationCost::keptForWeight, &ActivationCost::stash})
            cell.*bytes = timesFactor(cell.*bytes, size);
}

/// Layers of the stages of a changed order, where they are known.
std::vector<int> layersOf(const AdviceSource& source, const PlannedChange& change,
                          const PipelineSpec& to)
{
    const std::vector<int>& layers = change.split.empty() ? source.layers : change.split;
    return layers.size() == static_cast<std::size_t>(to.stages()) ? layers : std::vector<int>();
}

/// Layers of the stages of another shape as they lie in the measured ones, parts of layers too.
std::vector<double> carriedLayers(const std::vector<int>& layers, int stages)
{
    std::vector<double> carried(static_cast<std::size_t>(stages), 0);
    const double pieces = static_cast<double>(layers.size()) / stages;
    for (std::size_t stage = 0; stage < carried.size(); ++stage)
        for (std::size_t from = 0; from < layers.size(); ++from) {
            const double begin =
                std::max(static_cast<double>(stage) * pieces, static_cast<double>(from));
            const double end =
                std::min(static_cast<double>(stage + 1) * pieces, static_cast<double>(from + 1));
            carried[stage] += std::max(0.0, end - begin) * layers[from];
        }
    return carried;
}

/// Bytes go with layers that move: as many of each as a usual stage has of one.
void moveBytes(const std::vector<double>& before, const std::vector<int>& after,
               const PipelineSpec& to, Costs& costs)
{
    const auto move = [&](std::size_t stage, const std::vector<double>& perLayer, Bytes& bytes) {
        const double more = static_cast<double>(after[stage]) - before[stage];
        bytes = std::max<Bytes>(0, bytes + std::llround(more * medianOf(perLayer)));
    };
    for (std::vector<Bytes> Costs::*table :
         {&Costs::weights, &Costs::gradients, &Costs::optimizer}) {
        std::vector<double> perLayer;
        for (std::size_t stage = 0; stage < (costs.*table).size(); ++stage)
            if (before[stage] > 0)
                perLayer.push_back(static_cast<double>((costs.*table)[stage]) / before[stage]);
        for (std::size_t stage = 0; stage < (costs.*table).size(); ++stage)
            move(stage, perLayer, (costs.*table)[stage]);
    }
    for (Bytes ActivationCost::*bytes :
         {&ActivationCost::activation, &ActivationCost::keptForWeight, &ActivationCost::stash})
        for (int segment = 0; segment < to.segments(); ++segment) {
            std::vector<double> perLayer;
            const auto cellOf = [&](std::size_t stage) -> Bytes& {
                return costs.activation[cellIndex(to, StageId(static_cast<int>(stage)), segment)].*
                       bytes;
            };
            for (std::size_t stage = 0; stage < before.size(); ++stage)
                if (before[stage] > 0 && bytes != &ActivationCost::stash)
                    perLayer.push_back(static_cast<double>(cellOf(stage)) / before[stage]);
            for (std::size_t stage = 0; stage < before.size(); ++stage)
                move(stage, perLayer, cellOf(stage));
        }
}

void alsoAssumed(std::string& text, const std::string& more)
{
    if (more.empty())
        return;
    text += (text.empty() ? "" : "; ") + more;
}

/// Puts what is held in another way into costs, and says what is assumed of it.
Result<void> holdIn(const AdviceSource& source, const PlannedChange& change, const World& world,
                    const PipelineSpec& to, CarriedCosts& carried)
{
    const StageHolding& holding = change.holding;
    if (!holding.any())
        return {};
    if (!holding.offloaded.empty() && source.base.memory &&
        source.base.memory->fixed.size() == static_cast<std::size_t>(to.devices))
        putRankMemory(carried.costs, *source.base.memory, to);
    PW_DO(hold(holding, recomputationIn(source, world), layersOf(source, change, to), to,
               carried.costs));
    if (!holding.recomputed.empty())
        alsoAssumed(carried.how, "the backward of " + stagesText(holding.recomputed, to.stages()) +
                                     " is longer by the forward");
    if (!holding.kept.empty())
        alsoAssumed(carried.how, "the backward of " + stagesText(holding.kept, to.stages()) +
                                     " is shorter by the forward");
    if (!holding.offloaded.empty()) {
        constexpr double giga = 1e9;
        alsoAssumed(carried.how,
                    "copies to the host at " +
                        plainNumber(carried.costs.offload.link.bytesPerSecond / giga, 3) + " GB/s" +
                        (holding.hostRate ? "" : ", as is assumed"));
    }
    return {};
}

/// Costs for the stages of another order, whole sequences.
Result<CarriedCosts> carriedStages(const AdviceSource& source, const PlannedChange& change,
                                   const World& world, const Costs& costs, const PipelineSpec& to)
{
    const PipelineSpec& from = source.base.schedule.spec();
    PW_TRY(CarriedCosts carried, carryCosts(costs, from, to));
    if (change.split.empty()) {
        carryRanks(costs, from, to, carried);
        if (world.fixedPart > 0 && to.stages() > from.stages())
            keepFixed(costs, to.stages() / from.stages(), world.fixedPart, carried.costs);
        return carried;
    }
    PW_TRY(const LayerCosts layers, LayerCosts::make(costs, from, source.layers, world.fixedPart));
    PW_TRY(carried.costs, layers.split(carried.costs, to, change.split, world.unlike));
    moveBytes(carriedLayers(source.layers, to.stages()), change.split, to, carried.costs);
    carried.how =
        "layers " + layersText(change.split) + " in the place of " + layersText(source.layers);
    return carried;
}

Result<Prediction> predictIn(const AdviceSource& source, const PlannedChange& change,
                             const World& world)
{
    const WhatIfBase base = baseIn(source, change, world);
    const PipelineSpec& from = base.schedule.spec();
    WhatIf what = change.what;
    const bool asItIs = !what.family && !what.placement && what.order == nullptr &&
                        change.split.empty() && change.microBatchSize == 1 && !change.holding.any();
    if (asItIs)
        return predict(base, what);
    what.carry = [&](const Costs& costs, const PipelineSpec& to) -> Result<CarriedCosts> {
        // Stages are cut or put together first, and then sequences.
        const bool cut = to.segments() > from.segments() && from.segments() == 1;
        PipelineSpec whole = to;
        if (cut)
            whole.segmentLengths = from.segmentLengths;
        PW_TRY(CarriedCosts carried, carriedStages(source, change, world, costs, whole));
        if (cut) {
            PW_TRY(CarriedCosts pieces, carryCosts(carried.costs, whole, to));
            carried.costs = std::move(pieces.costs);
            alsoAssumed(carried.how, pieces.how);
            segment(change, world, to, carried.costs);
            alsoAssumed(carried.how,
                        "later segments take longer, by 15 % of a pass in all" +
                            std::string(change.fixedTime ? "" : ", and 5 % of a pass is in each"));
        }
        if (change.microBatchSize != 1)
            resize(change.microBatchSize, world.fixedTime.value_or(change.fixedTime.value_or(0)),
                   carried.costs);
        PW_DO(holdIn(source, change, world, to, carried));
        return carried;
    };
    return predict(base, what);
}

/// An order whose passes are drawn from what was measured.
class DrawnOrder
{
public:
    DrawnOrder(const Prediction& prediction, const PassNoise& noise)
        : m_graph(prediction.schedule)
        , m_links(prediction.schedule.devices(), prediction.costs.link.latency)
        , m_noise(&noise)
    {
        const Schedule& schedule = prediction.schedule;
        for (const EntryId entry : schedule.entries()) {
            const OrderEntry passes = schedule.entry(entry);
            m_times.push_back(
                static_cast<double>(entryTime(prediction.costs, schedule.spec(), passes)));
            m_spread.push_back(&spreadOfKind(passes.pass.kind));
        }
        m_durations.resize(m_times.size());
    }

    /// A step in which no pass differs from what it takes.
    double plain()
    {
        for (std::size_t i = 0; i < m_times.size(); ++i)
            m_durations[i] = static_cast<Ticks>(m_times[i]);
        return static_cast<double>(m_graph.run(m_durations, m_links, m_ends));
    }

    /// The median of several steps.
    double median(int steps, std::mt19937_64& random)
    {
        std::vector<double> spans;
        for (int step = 0; step < steps; ++step) {
            const double all = pick(m_noise->steps, random);
            for (std::size_t i = 0; i < m_times.size(); ++i)
                m_durations[i] =
                    timesFactor(static_cast<Ticks>(m_times[i]), all * pick(*m_spread[i], random));
            spans.push_back(static_cast<double>(m_graph.run(m_durations, m_links, m_ends)));
        }
        return medianOf(std::move(spans));
    }

    std::size_t entries() const { return m_times.size(); }

private:
    static double pick(const std::vector<double>& from, std::mt19937_64& random)
    {
        return from.empty() ? 1 : from[random() % from.size()];
    }

    /// Of a kind that was not measured, that of the most alike that was.
    const std::vector<double>& spreadOfKind(PassKind kind) const
    {
        for (const PassKind like : {kind, PassKind::BW, PassKind::B, PassKind::F})
            if (!m_noise->passes[static_cast<std::size_t>(like)].empty())
                return m_noise->passes[static_cast<std::size_t>(like)];
        return m_noise->passes[static_cast<std::size_t>(kind)];
    }

    OrderGraph m_graph;
    LinkDelays m_links;
    const PassNoise* m_noise;
    std::vector<double> m_times;                      // by entry
    std::vector<const std::vector<double>*> m_spread; // likewise
    std::vector<Ticks> m_durations, m_ends;
};

/// Deviations to both sides, which add up by their squares.
struct Deviations
{
    double below = 0, above = 0; // squares

    void add(double down, double up)
    {
        below += down * down;
        above += up * up;
    }
    /// What one possible world says in the place of the centre.
    void add(double difference) { add(std::min(difference, 0.0), std::max(difference, 0.0)); }
};

/// By how much the spread of passes and steps moves a gain: 5 % of the runs are below, 5 % above.
void addNoise(const AdviceSource& source, const Prediction& own, const Prediction& changed,
              Deviations& deviations)
{
    if (source.noise.steps.empty())
        return;
    DrawnOrder before(own, source.noise), after(changed, source.noise);
    constexpr std::size_t mostPlayed = 8'000'000; // entries
    constexpr int mostSteps = 5;
    const int steps = std::clamp<int>(static_cast<int>(source.steps), 1, mostSteps);
    const auto draws = static_cast<int>(std::clamp<std::size_t>(
        mostPlayed / (before.entries() + after.entries()) / static_cast<std::size_t>(steps), 20,
        200));
    std::mt19937_64 random(1); // advice on a trace is the same each time
    std::vector<double> gains;
    for (int draw = 0; draw < draws; ++draw) {
        const double now = before.median(steps, random);
        gains.push_back(now > 0 ? 1 - after.median(steps, random) / now : 0);
    }
    std::sort(gains.begin(), gains.end());
    const auto at = [&](double part) {
        return gains[static_cast<std::size_t>(part * static_cast<double>(gains.size() - 1))];
    };
    constexpr double tail = 0.05, half = 0.5;
    deviations.add(at(half) - at(tail), at(1 - tail) - at(half));
    // Waits grow with the spread, in one order more than in another.
    const double now = before.plain();
    deviations.add(at(half) - (now > 0 ? 1 - after.plain() / now : 0));
}

/// The worlds that may be instead, where they make a difference.
std::vector<World> worldsOf(const AdviceSource& source, const PlannedChange& change,
                            const Prediction& made)
{
    std::vector<World> worlds;
    const auto add = [&worlds](const auto& set) {
        World world;
        set(world);
        worlds.push_back(world);
    };
    const bool cut = hasKind(made.schedule, PassKind::W) && !knowsSplit(source.base);
    if (cut && !change.what.weightPart) {
        add([](World& world) { world.weightPart = leastWeightPart; });
        add([](World& world) { world.weightPart = mostWeightPart; });
    }
    if (cut)
        add([](World& world) { world.cutBackward = mostCutBackward; });
    if (!change.split.empty())
        add([](World& world) { world.unlike = Unlike::Devices; });
    if (!change.split.empty() ||
        made.schedule.spec().stages() > source.base.schedule.spec().stages())
        add([](World& world) { world.fixedPart = mostFixedPart; });
    if (made.schedule.spec().segments() > source.base.schedule.spec().segments()) {
        for (const double attention : {0.0, mostAttention})
            add([attention](World& world) { world.attention = attention; });
        for (const double bytes : {0.0, 1.0})
            add([bytes](World& world) { world.messageBytes = bytes; });
        if (!change.fixedTime)
            for (const double fixed : {0.0, mostFixedOfSegment})
                add([fixed](World& world) { world.fixedOfSegment = fixed; });
    }
    const StageHolding& holding = change.holding;
    if (!holding.recomputed.empty() || !holding.kept.empty() ||
        (cut && !source.recomputed.empty())) {
        add([](World& world) { world.again = leastAgain; });
        add([](World& world) { world.again = mostAgain; });
        add([](World& world) {
            world.endsAgain = true;
            world.again = mostAgain;
        });
    }
    if (!holding.offloaded.empty()) {
        const double least = holding.hostRate ? leastSaidHostRate : leastHostRate;
        add([least](World& world) { world.hostRate = least; });
    }
    for (const Costs& other : source.otherCosts)
        add([&other](World& world) { world.costs = &other; });
    if (source.profiled)
        add([](World& world) { world.passes = 1 - profilerPart; });
    if (change.microBatchSize != 1 && !change.fixedTime) {
        std::vector<double> forward(source.base.costs.forward.begin(),
                                    source.base.costs.forward.end());
        const auto fixed = static_cast<Ticks>(mostFixedOfSize * medianOf(std::move(forward)));
        add([fixed](World& world) { world.fixedTime = fixed; });
    }
    return worlds;
}

} // namespace

std::vector<Bytes> peaksOf(const AdviceSource& source, const PlannedChange& change,
                           const Prediction& made)
{
    const std::optional<RankMemory>& memory = source.base.memory;
    std::vector<Bytes> peaks = made.memory;
    if (!memory)
        return source.knowsMemory() ? heldAtMost(made.schedule, made.costs, made.result) : peaks;
    if (peaks.empty())
        return peaks;
    const PipelineSpec& from = source.base.schedule.spec();
    const PipelineSpec& to = made.schedule.spec();
    const auto bytesOf = [&](Share share) {
        return microBatchesFromShare(share) * static_cast<double>(memory->perMicroBatch);
    };
    const std::vector<Share> again =
        heldAgain(change.holding, source.recomputation, layersOf(source, change, to), made.schedule,
                  made.costs);
    std::vector<double> before(peaks.size(), 0), after(peaks.size(), 0);
    if (!change.split.empty()) {
        for (const StageId stage : Ids<StageId>(from.stages()))
            before[from.device(0, stage).index()] += source.layers[stage.index()];
        for (const StageId stage : Ids<StageId>(to.stages()))
            after[to.device(0, stage).index()] += change.split[stage.index()];
    }
    const double usualLayers = medianOf(before);
    std::vector<double> fixed;
    for (const Bytes bytes : memory->fixed)
        fixed.push_back(static_cast<double>(bytes));
    const double layer = usualLayers > 0 ? std::max(0.0, medianOf(fixed)) / usualLayers : 0;
    for (std::size_t device = 0; device < peaks.size(); ++device) {
        const double part = before[device] > 0 ? after[device] / before[device] : 1;
        const double size = part * change.microBatchSize;
        const double activations = bytesOf(made.result.devices[device].peakShare) * (size - 1) +
                                   bytesOf(again[device]) * size;
        peaks[device] += static_cast<Bytes>(
            std::llround(activations + layer * (after[device] - before[device])));
    }
    return peaks;
}

Result<std::vector<Bytes>> peaksNow(const AdviceSource& source)
{
    PW_TRY(const Prediction own, predictIn(source, {}, {}));
    return peaksOf(source, {}, own);
}

Result<Prediction> predictChange(const AdviceSource& source, const PlannedChange& change)
{
    return predictIn(source, change, {});
}

Result<Promise> promiseOf(const AdviceSource& source, const PlannedChange& change)
{
    PW_TRY(Prediction made, predictIn(source, change, {}));
    PW_TRY(const Prediction own, predictIn(source, {}, {}));
    const auto part = [](const Prediction& now, const Prediction& before) {
        return 1 - static_cast<double>(now.result.makespan) /
                       static_cast<double>(std::max<Ticks>(before.result.makespan, 1));
    };
    const double centre = part(made, own);
    Deviations deviations;
    addNoise(source, own, made, deviations);
    for (const World& world : worldsOf(source, change, made)) {
        const Result<Prediction> other = predictIn(source, change, world);
        if (!other)
            continue; // it changes nothing that this order has
        World plain;
        plain.passes = world.passes;
        plain.costs = world.costs;
        PW_TRY(const Prediction otherOwn, predictIn(source, {}, plain));
        deviations.add(part(*other, otherOwn) - centre);
    }
    if (source.base.measured) {
        constexpr double half = 0.5; // the changed order is predicted off by as much, or is not
        const double off =
            std::max(std::abs(source.base.residual().value_or(0)) * half, usualDrift);
        deviations.add(off * (1 - centre), off * (1 - centre));
    }
    // Work around the passes stays as it is.
    const double inside =
        source.step > 0 ? static_cast<double>(source.span) / static_cast<double>(source.step) : 1;
    std::vector<Bytes> peaks = peaksOf(source, change, made);
    Promise promise{std::move(made),
                    0,
                    centre * inside,
                    (centre - std::sqrt(deviations.below)) * inside,
                    (centre + std::sqrt(deviations.above)) * inside,
                    std::move(peaks)};
    promise.step = static_cast<double>(source.step) * (1 - promise.gain);
    return promise;
}

} // namespace pw
