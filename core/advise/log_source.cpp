// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/log_source.h"

#include "core/base/medians.h"
#include "core/base/try.h"
#include "core/cost/layer_split.h"
#include "core/families/family_traits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// What a stage's forwards and backwards take together in an iteration.
struct StageSums
{
    std::vector<double> forward, backward; ///< by stage; empty: not told
};

struct LogShape
{
    int stages = 0;
    int microBatches = 0;
    int segments = 1;
    int ranks = 0;
};

std::optional<int> factOf(const TrainingLog& log, LogFact fact, int most)
{
    const std::optional<std::int64_t> value = log.fact(fact);
    if (!value || *value < 1 || *value > most)
        return std::nullopt;
    return static_cast<int>(*value);
}

Result<LogShape> shapeOf(const TrainingLog& log)
{
    constexpr int mostStages = 1024, mostMicroBatches = 65'536, mostRanks = 65'536;
    const std::optional<int> stages = factOf(log, LogFact::Stages, mostStages);
    const std::optional<int> microBatches = factOf(log, LogFact::MicroBatches, mostMicroBatches);
    if (!stages)
        return fail(ErrorCode::BadValue, "the log does not tell how many stages there are, so no "
                                         "order can be made of its times");
    if (*stages < 2)
        return fail(ErrorCode::BadValue, "the log is of a training on one stage: there is no "
                                         "pipeline that could be changed");
    if (!microBatches)
        return fail(ErrorCode::BadValue, "the log does not tell how many micro-batches a step has, "
                                         "so no order can be made of its times");
    LogShape shape;
    shape.stages = *stages;
    shape.microBatches = *microBatches;
    shape.segments =
        static_cast<int>(std::clamp<std::int64_t>(log.fact(LogFact::Segments).value_or(1), 1, 64));
    shape.ranks = static_cast<int>(std::clamp<std::int64_t>(
        log.fact(LogFact::Ranks).value_or(shape.stages), shape.stages, mostRanks));
    const std::int64_t chunks = log.fact(LogFact::Chunks).value_or(1);
    if (chunks > 1)
        return fail(ErrorCode::BadValue,
                    "every device has %1 stages, and the log tells what they take together: a "
                    "trace of the profiler tells them apart",
                    chunks);
    return shape;
}

/// Whether a timer is of forwards, as Megatron and DeepSpeed call them.
bool isForwardTimer(std::string_view name)
{
    return name == "forward-compute" || name == "forward_microstep" || name == "fwd_microstep" ||
           name == "fwd";
}

bool isBackwardTimer(std::string_view name)
{
    return name == "backward-compute" || name == "backward_microstep" || name == "bwd_microstep" ||
           name == "bwd";
}

/// The median of what an iteration says, the first one left out where there are others.
double settled(std::vector<double> all)
{
    if (all.size() > 2)
        all.erase(all.begin());
    return medianOf(std::move(all));
}

/// Of timers of all ranks, which stand in the trace one by one; the pipeline is the outermost part
/// of a rank's number.
StageSums sumsOfRanks(const Trace& trace, const LogShape& shape)
{
    using ByRank = std::map<std::int32_t, std::vector<double>>;
    ByRank forward, backward;
    for (const TraceSpan& span : trace.spans) {
        const std::int32_t rank = trace.ranks[static_cast<std::size_t>(span.rank)].number;
        const std::string_view name = trace.nameOf(span);
        if (rank < 0 || rank >= shape.ranks || (!isForwardTimer(name) && !isBackwardTimer(name)))
            continue;
        (isForwardTimer(name) ? forward : backward)[rank].push_back(
            static_cast<double>(span.end - span.start));
    }
    const auto ofStages = [&](const ByRank& ranks) {
        std::vector<std::vector<double>> all(static_cast<std::size_t>(shape.stages));
        for (const auto& [rank, times] : ranks)
            all[static_cast<std::size_t>(rank) * static_cast<std::size_t>(shape.stages) /
                static_cast<std::size_t>(shape.ranks)]
                .push_back(settled(times));
        std::vector<double> sums;
        for (const std::vector<double>& stage : all)
            if (!stage.empty())
                sums.push_back(medianOf(stage));
        return sums.size() == all.size() ? sums : std::vector<double>();
    };
    return {ofStages(forward), ofStages(backward)};
}

struct LeastAndMost
{
    double least = 0, most = 0;
};

std::optional<LeastAndMost> extremesOf(const TrainingLog& log, bool (*asked)(std::string_view))
{
    for (const LoggedTimer& timer : log.timers) {
        if (!asked(timer.name) || timer.values.empty())
            continue;
        std::vector<double> least, most;
        for (const TimerValue& value : timer.values) {
            least.push_back(static_cast<double>(value.least));
            most.push_back(static_cast<double>(value.most));
        }
        return LeastAndMost{settled(std::move(least)), settled(std::move(most))};
    }
    return std::nullopt;
}

/// Which stages are taken to have the most.
enum class Heavy
{
    Last,
    First,
    AllButFirst
};

std::vector<double> spreadOver(const LeastAndMost& of, int stages, Heavy heavy)
{
    std::vector<double> sums(static_cast<std::size_t>(stages),
                             heavy == Heavy::AllButFirst ? of.most : of.least);
    if (heavy == Heavy::AllButFirst)
        sums.front() = of.least;
    else
        (heavy == Heavy::Last ? sums.back() : sums.front()) = of.most;
    return sums;
}

Costs costsOfSums(const StageSums& sums, const PipelineSpec& spec, const LogShape& shape)
{
    Costs costs = expand(UniformCosts(), spec);
    costs.fused.resize(costs.forward.size());
    const double parts = static_cast<double>(shape.microBatches) * shape.segments;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        for (int segment = 0; segment < spec.segments(); ++segment) {
            const std::size_t cell = cellIndex(spec, stage, segment);
            const auto time = [&](const std::vector<double>& all) {
                return std::clamp<Ticks>(std::llround(all[stage.index()] / parts), 0, longestPass);
            };
            costs.forward[cell] = time(sums.forward);
            costs.fused[cell] = time(sums.backward);
            costs.weight[cell] = costs.fused[cell] / 2;
            costs.backward[cell] = costs.fused[cell] - costs.weight[cell];
        }
    return costs;
}

/// What is measured of the stages, and how else it may be.
struct LogTimes
{
    StageSums sums;
    std::vector<StageSums> others;
    bool assumed = false; ///< which stage takes how long
};

Result<LogTimes> timesOf(const Trace& trace, const LogShape& shape)
{
    const TrainingLog& log = trace.log;
    LogTimes times;
    if (log.timerForm == TimerForm::EachRank || log.deepSpeed)
        times.sums = sumsOfRanks(trace, shape);
    if (!times.sums.forward.empty() && !times.sums.backward.empty())
        return times;
    const std::optional<LeastAndMost> forward = extremesOf(log, isForwardTimer);
    const std::optional<LeastAndMost> backward = extremesOf(log, isBackwardTimer);
    if (log.timerForm != TimerForm::Extremes || !forward || !backward)
        return fail(ErrorCode::BadValue,
                    "the log does not tell how long each stage computes, so nothing is known of "
                    "other orders: Megatron tells it with --timing-log-level 2 and "
                    "--timing-log-option all, and a trace of the profiler tells more");
    const auto made = [&](Heavy heavy) {
        return StageSums{spreadOver(*forward, shape.stages, heavy),
                         spreadOver(*backward, shape.stages, heavy)};
    };
    times.sums = made(Heavy::Last);
    times.others = {made(Heavy::First), made(Heavy::AllButFirst)};
    times.assumed = true;
    return times;
}

/// The family of the program, and what it is asked for.
FamilyChoice choiceOfLog(const LogShape& shape)
{
    FamilyChoice choice;
    choice.id = std::string(shape.segments > 1 ? firstFamily([](const FamilyTraits& traits) {
        return traits.fused && traits.oneWay == false && traits.segments > 1 &&
               traits.chunks == 1 && traits.routes == 1 && !traits.pairs &&
               traits.updates == UpdateRule::Flush;
    })
                                               : firstFamily([](const FamilyTraits& traits) {
                                                     return traits.fused && traits.oneWay &&
                                                            traits.segments == 1 &&
                                                            traits.chunks == 1 && !traits.pairs &&
                                                            traits.updates == UpdateRule::Flush;
                                                 }));
    choice.options.devices = shape.stages;
    choice.options.microBatches = shape.microBatches;
    if (shape.segments > 1)
        if (const Result<const Family*> family = findFamily(choice.id))
            if (const Parameter* segments = findParameter(**family, ParameterRole::Segments))
                choice.options.parameters.emplace_back(segments->name, shape.segments);
    return choice;
}

void takeLogLayers(const TrainingLog& log, AdviceSource& source)
{
    const int stages = source.base.schedule.spec().stages();
    std::vector<int> layers;
    for (const auto& [stage, told] : log.stageLayers)
        if (stage == static_cast<std::int64_t>(layers.size()))
            layers.push_back(static_cast<int>(told.end - told.first));
    const std::optional<std::int64_t> all = log.fact(LogFact::Layers);
    if (static_cast<int>(layers.size()) != stages && all && *all % stages == 0)
        layers.assign(static_cast<std::size_t>(stages), static_cast<int>(*all / stages));
    // What cannot be split is asked for where layers are to be moved.
    if (static_cast<int>(layers.size()) == stages)
        (void)setLayers(source, std::move(layers));
}

/// Of the iteration, what lies between the first pass and the last end.
Ticks spanOfLog(const TrainingLog& log, Ticks step)
{
    for (const LoggedTimer& timer : log.timers) {
        if (timer.name != "forward-backward" || timer.values.empty())
            continue;
        std::vector<double> most;
        for (const TimerValue& value : timer.values)
            most.push_back(static_cast<double>(value.most));
        return std::min(step, static_cast<Ticks>(std::llround(settled(std::move(most)))));
    }
    return step;
}

void takeLogSteps(const TrainingLog& log, AdviceSource& source)
{
    std::vector<double> times;
    for (const LoggedStep& step : log.steps)
        times.push_back(static_cast<double>(step.time));
    if (times.size() > 2)
        times.erase(times.begin());
    const double median = medianOf(times);
    source.steps = times.size();
    source.step = static_cast<Ticks>(std::llround(median));
    source.stepSpread = median > 0 ? robustSpread(times) / median : 0;
    for (const double time : times)
        source.noise.steps.push_back(median > 0 ? time / median : 1);
}

} // namespace

Result<AdviceSource> logSource(const Trace& trace)
{
    const TrainingLog& log = trace.log;
    if (log.steps.empty())
        return fail(ErrorCode::BadValue, "the log has no iteration with its time");
    PW_TRY(const LogShape shape, shapeOf(log));
    PW_TRY(const LogTimes times, timesOf(trace, shape));
    const FamilyChoice choice = choiceOfLog(shape);
    PW_TRY(const Family* family, findFamily(choice.id));
    PW_TRY(const PipelineSpec spec, specOf(*family, choice.options));
    Costs costs = costsOfSums(times.sums, spec, shape);
    PW_TRY(Schedule schedule, family->build(spec, choice.options, costs));
    PW_TRY(SimResult predicted, simulate(schedule, costs));
    WhatIfBase base{std::move(schedule), std::move(costs), {}, choice, {}, std::move(predicted)};
    base.known[static_cast<std::size_t>(PassKind::F)] = true;
    base.known[static_cast<std::size_t>(PassKind::BW)] = true;
    std::vector<Bytes> peaks;
    constexpr double gib = 1024.0 * 1024 * 1024;
    for (const double stage : log.stageMemory)
        peaks.push_back(static_cast<Bytes>(stage * gib));
    base.memory = fitRankMemory(peaks, spec, base.predicted);
    AdviceSource source{"the log", std::move(base)};
    takeLogSteps(log, source);
    source.span = spanOfLog(log, source.step);
    source.base.measured = source.span;
    for (const StageSums& other : times.others)
        source.otherCosts.push_back(costsOfSums(other, spec, shape));
    source.why = whyOf(source.base);
    source.computing = computingOf(source.base, source.step);
    source.notes.push_back(said("It is a log: passes of a stage count as alike, and what messages "
                                "take is not known"));
    if (times.assumed)
        source.notes.push_back(said("The log tells the least and the most over all ranks: the most "
                                    "counts as the last stage's, and as another's in the "
                                    "intervals"));
    takeLogLayers(log, source);
    return source;
}

} // namespace pw
