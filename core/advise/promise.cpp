// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/promise.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/carry_ranks.h"
#include "core/job/medians.h"
#include "core/job/order_graph.h"
#include "core/model/pass_kinds.h"

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

/// What is not known, as it may be.
struct World
{
    std::optional<double> weightPart; ///< of a BW, where only these were measured
    double cutBackward = 0;           ///< by how much B and W take longer than their BW
    double passes = 1;                ///< every pass takes so many times as long as measured
    Unlike unlike = Unlike::Layers;
    double fixedPart = 0; ///< of a pass, however many layers it has
    std::optional<Ticks> fixedTime;
};

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

/// B and W out of BW, longer than it by what cutting costs.
void cutBackwards(WhatIfBase& base, double weightPart, double longer)
{
    Costs& costs = base.costs;
    for (std::size_t cell = 0; cell < costs.fused.size(); ++cell) {
        costs.weight[cell] = timesFactor(costs.fused[cell], weightPart * (1 + longer));
        costs.backward[cell] = timesFactor(costs.fused[cell], (1 - weightPart) * (1 + longer));
    }
    base.known[static_cast<std::size_t>(PassKind::B)] = true;
    base.known[static_cast<std::size_t>(PassKind::W)] = true;
}

WhatIfBase baseIn(const AdviceSource& source, const PlannedChange& change, const World& world)
{
    WhatIfBase base = source.base;
    for (const TimeTable table : timeTables)
        for (Ticks& time : base.costs.*table)
            time = timesFactor(time, world.passes);
    if (!knowsSplit(base) && (world.weightPart || world.cutBackward > 0))
        cutBackwards(base,
                     world.weightPart.value_or(change.what.weightPart.value_or(assumedWeightPart)),
                     world.cutBackward);
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

Result<Prediction> predictIn(const AdviceSource& source, const PlannedChange& change,
                             const World& world)
{
    const WhatIfBase base = baseIn(source, change, world);
    const PipelineSpec& from = base.schedule.spec();
    WhatIf what = change.what;
    if (change.split.empty() && change.microBatchSize == 1 && world.fixedPart == 0)
        return predict(base, what);
    what.carry = [&](const Costs& costs, const PipelineSpec& to) -> Result<CarriedCosts> {
        PW_TRY(CarriedCosts carried, carryCosts(costs, from, to));
        if (change.split.empty()) {
            carryRanks(costs, from, to, carried);
        } else {
            PW_TRY(const LayerCosts layers,
                   LayerCosts::make(costs, from, source.layers, world.fixedPart));
            PW_TRY(carried.costs, layers.split(carried.costs, to, change.split, world.unlike));
            carried.how = "layers " + layersText(change.split) + " in the place of " +
                          layersText(source.layers);
        }
        if (change.split.empty() && world.fixedPart > 0 && to.stages() > from.stages())
            keepFixed(costs, to.stages() / from.stages(), world.fixedPart, carried.costs);
        if (change.microBatchSize != 1)
            resize(change.microBatchSize, world.fixedTime.value_or(change.fixedTime.value_or(0)),
                   carried.costs);
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
    const double plain =
        1 - static_cast<double>(changed.result.makespan) / static_cast<double>(own.result.makespan);
    deviations.add(at(half) - plain);
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
    if (!memory || peaks.empty())
        return peaks;
    const PipelineSpec& from = source.base.schedule.spec();
    const PipelineSpec& to = made.schedule.spec();
    const auto held = [&](std::size_t device) {
        return microBatchesFromShare(made.result.devices[device].peakShare) *
               static_cast<double>(memory->perMicroBatch);
    };
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
        const double activations = held(device) * (part * change.microBatchSize - 1);
        peaks[device] += static_cast<Bytes>(
            std::llround(activations + layer * (after[device] - before[device])));
    }
    return peaks;
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
