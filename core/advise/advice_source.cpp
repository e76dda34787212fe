// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/advice_source.h"

#include "core/advise/layer_costs.h"
#include "core/base/medians.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/layer_split.h"
#include "core/job/job_causes.h"
#include "core/job/run_job.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace pw {

namespace {

/// Work of each device by its costs.
std::vector<double> workOf(const WhatIfBase& base)
{
    std::vector<double> work;
    for (const DeviceResult& device : base.predicted.devices)
        work.push_back(static_cast<double>(device.busy));
    return work;
}

/// Idle time of an order that neither gaps nor messages explain: the ranks' work evened out.
struct Losses
{
    double stages = 0; ///< parts of the step
    double order = 0;
    std::size_t heaviest = 0;
    double ratio = 1; ///< of the heaviest device's work to the median
};

Losses lossesOf(const WhatIfBase& base)
{
    const std::vector<double> work = workOf(base);
    const auto most = std::max_element(work.begin(), work.end());
    const double mean =
        std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(work.size());
    const auto makespan = static_cast<double>(std::max<Ticks>(base.predicted.makespan, 1));
    const double middle = medianOf(work);
    Losses losses;
    losses.stages = (*most - mean) / makespan;
    losses.order = 1 - *most / makespan;
    losses.heaviest = static_cast<std::size_t>(most - work.begin());
    losses.ratio = middle > 0 ? *most / middle : 1;
    return losses;
}

Sentence orderSentence(const WhatIfBase& base, double loss)
{
    const PipelineSpec& spec = base.schedule.spec();
    return said("the order keeps ranks waiting for %1 of the step: %2 fill and drain around %3",
                percentText(loss), counted(spec.devices, "%1 rank", "%1 ranks"),
                counted(spec.totalMicroBatches(), "%1 micro-batch", "%1 micro-batches"));
}

/// From what is found in the job.
Sentence jobWhy(const Trace& trace, const Job& job, const WhatIfBase& base)
{
    const JobReplay replay(job);
    const std::vector<FoundCause> causes = jobCauses(replay, trace);
    const double order = 1 - efficiencyOf(replay).order;
    const double cost = causes.empty() ? 0 : causes.front().costTicks / replay.mean();
    constexpr double half = 0.5; // a bubble is there in any order; what can be mended is told first
    if (causes.empty() || cost < order * half)
        return causes.empty() && lossesOf(base).stages > order ? whyOf(base)
                                                               : orderSentence(base, order);
    return causes.front().sentence;
}

/// Deviations of the passes of all steps that count.
PassNoise noiseOf(const RecoveredPipeline& pipeline)
{
    constexpr std::size_t most = 20'000; // of a kind
    using Key = std::pair<PassKind, std::pair<int, int>>;
    const auto keyOf = [](const RecordedPass& one) {
        return Key{one.pass.kind, {one.pass.stage, one.pass.segment}};
    };
    std::map<Key, std::pair<double, double>> sums;
    const auto counts = [](const RecoveredIteration& one) { return !one.warmUp && one.complete; };
    for (const RecoveredIteration& one : pipeline.iterations) {
        if (!counts(one))
            continue;
        for (const RecordedPass& record : one.passes) {
            auto& [sum, count] = sums[keyOf(record)];
            sum += static_cast<double>(record.end - record.start);
            count += 1;
        }
    }
    PassNoise noise;
    for (const RecoveredIteration& one : pipeline.iterations) {
        if (!counts(one))
            continue;
        double took = 0, usual = 0;
        for (const RecordedPass& record : one.passes) {
            const auto& [sum, count] = sums[keyOf(record)];
            took += static_cast<double>(record.end - record.start);
            usual += sum / count;
        }
        const double step = usual > 0 ? took / usual : 1;
        noise.steps.push_back(step);
        for (const RecordedPass& record : one.passes) {
            const auto& [sum, count] = sums[keyOf(record)];
            std::vector<double>& of = noise.passes[static_cast<std::size_t>(record.pass.kind)];
            if (sum > 0 && step > 0 && of.size() < most)
                of.push_back(static_cast<double>(record.end - record.start) * count / sum / step);
        }
    }
    return noise;
}

/// The part that passes tell, of a trace and of a run.
void takeSteps(const RecoveredPipeline& pipeline, AdviceSource& source)
{
    std::vector<double> spans;
    for (const RecoveredIteration& one : pipeline.iterations)
        if (!one.warmUp && one.complete)
            spans.push_back(static_cast<double>(one.makespan()));
    if (spans.empty())
        spans.push_back(static_cast<double>(source.base.measured.value_or(0)));
    source.steps = spans.size();
    source.span = static_cast<Ticks>(std::llround(medianOf(spans)));
    source.step = source.span;
    source.stepSpread =
        source.span > 0 ? robustSpread(spans) / static_cast<double>(source.span) : 0;
    source.noise = noiseOf(pipeline);
}

double computingPart(const RecoveredPipeline& pipeline, Ticks step)
{
    Ticks busy = 0;
    for (const RankFigures& rank : pipeline.ranks)
        busy += rank.busy;
    const double all = static_cast<double>(step) * static_cast<double>(pipeline.ranks.size());
    return all > 0 ? static_cast<double>(busy) / all : 0;
}

/// B and W out of BW where only these were measured.
void cutUnmeasured(AdviceSource& source)
{
    const auto known = [&](PassKind kind) {
        return source.base.known[static_cast<std::size_t>(kind)];
    };
    if (!known(PassKind::B) || !known(PassKind::W))
        cutBackwards(source, assumedWeightPart, 0, source.recomputation, source.base.costs);
}

} // namespace

Sentence whyOf(const WhatIfBase& base)
{
    const Losses losses = lossesOf(base);
    if (losses.stages > losses.order)
        return said("rank %1 works %2 times as long as the median rank, and the others wait for it",
                    losses.heaviest, plainNumber(losses.ratio, 3));
    return orderSentence(base, losses.order);
}

double computingOf(const WhatIfBase& base, Ticks step)
{
    const std::vector<double> work = workOf(base);
    const double all = static_cast<double>(step) * static_cast<double>(work.size());
    return all > 0 ? std::accumulate(work.begin(), work.end(), 0.0) / all : 0;
}

Result<AdviceSource> adviceSource(const Trace& trace, std::span<const AlignedPipeline> pipelines,
                                  std::size_t shown)
{
    const RecoveredPipeline& pipeline = pipelines[shown].pipeline;
    PW_TRY(const FittedCosts fitted, fitTrace(trace, pipeline));
    PW_TRY(WhatIfBase base, whatIfBase(pipeline, fitted));
    AdviceSource source{fileNameOf(trace), std::move(base)};
    takeSteps(pipeline, source);
    source.profiled = !trace.files.empty();
    source.why = whyOf(source.base);
    const Job job = jobOf(trace, pipelines);
    if (!job.replicas.empty() && !job.counted().empty()) {
        source.step = std::max(job.stepTime(), source.span);
        source.why = jobWhy(trace, job, source.base);
    }
    source.computing = computingPart(pipeline, source.step);
    return source;
}

AdviceSource adviceSource(const RecoveredPipeline& pipeline, WhatIfBase base)
{
    AdviceSource source{{}, std::move(base)};
    takeSteps(pipeline, source);
    source.why = whyOf(source.base);
    source.computing = computingOf(source.base, source.step);
    return source;
}

Result<AdviceSource> adviceSource(const Project& project, const std::string& name)
{
    PW_TRY(WhatIfBase base, whatIfBase(project));
    AdviceSource source{name, std::move(base)};
    // A change may need more than there is, and then less of it: nothing is refused before.
    std::vector<Bytes>& caps = source.base.costs.memoryCap;
    source.cap = caps.empty() ? 0 : *std::min_element(caps.begin(), caps.end());
    caps.clear();
    source.step = source.span = source.base.predicted.makespan;
    source.why = whyOf(source.base);
    source.computing = computingOf(source.base, source.step);
    setModel(source, project);
    return source;
}

bool AdviceSource::knowsMemory() const
{
    const std::vector<ActivationCost>& cells = base.costs.activation;
    return base.memory || std::any_of(cells.begin(), cells.end(), [](const ActivationCost& cell) {
               return cell.activation > 0;
           });
}

Result<void> setRecomputed(AdviceSource& source, std::vector<int> stages)
{
    const int count = source.base.schedule.spec().stages();
    for (const int stage : stages)
        if (stage < 0 || stage >= count)
            return fail(ErrorCode::BadValue, "there is no stage %1; stages are 0 to %2", stage,
                        count - 1);
    std::sort(stages.begin(), stages.end());
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
    source.recomputed = std::move(stages);
    cutUnmeasured(source);
    return {};
}

void cutBackwards(const AdviceSource& source, double weightPart, double longer,
                  const Recomputation& recomputation, Costs& costs)
{
    const PipelineSpec& spec = source.base.schedule.spec();
    const std::vector<Ticks> all = computedAgain(costs, spec, source.layers, recomputation);
    std::vector<Ticks> again(all.size(), 0);
    for (const int stage : source.recomputed)
        for (int segment = 0; segment < spec.segments(); ++segment) {
            const std::size_t cell = cellIndex(spec, StageId(stage), segment);
            again[cell] = all[cell];
        }
    const auto part = [](Ticks time, double factor) {
        return std::clamp<Ticks>(std::llround(static_cast<double>(time) * factor), 0, longestPass);
    };
    for (std::size_t cell = 0; cell < costs.fused.size(); ++cell) {
        const Ticks forward = std::min(again[cell], costs.fused[cell]);
        const Ticks rest = costs.fused[cell] - forward;
        costs.weight[cell] = part(rest, weightPart * (1 + longer));
        costs.backward[cell] =
            std::min(part(rest, (1 - weightPart) * (1 + longer)) + forward, longestPass);
    }
}

void setModel(AdviceSource& source, const Project& project)
{
    if (!project.origin)
        return;
    const PipelineSpec& spec = source.base.schedule.spec();
    if (const Result<Recomputation> known = recomputationOf(*project.origin, spec)) {
        source.recomputation = *known;
        const bool again = project.origin->model.dense.recompute == RecomputePolicy::Full &&
                           project.origin->recomputeIn == RecomputeIn::Backward;
        if (again && !source.base.schedule.anyRecompute())
            for (int stage = 0; stage < spec.stages(); ++stage)
                source.recomputed.push_back(stage);
    }
    const Result<LayerSplit> split =
        parseSplit(project.origin->split, project.origin->model.dense.layers, spec.stages());
    if (!split)
        return;
    std::vector<int> layers;
    for (const StageContent& stage : *split)
        layers.push_back(stage.layers);
    // What cannot be split is asked for where layers are to be moved.
    (void)setLayers(source, std::move(layers));
}

Result<void> setLayers(AdviceSource& source, std::vector<int> layers)
{
    PW_TRY(const LayerCosts made,
           LayerCosts::make(source.base.costs, source.base.schedule.spec(), std::move(layers)));
    source.layers = made.layers();
    if (!source.recomputed.empty())
        cutUnmeasured(source);
    return {};
}

} // namespace pw
