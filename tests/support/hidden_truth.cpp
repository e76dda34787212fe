// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/hidden_truth.h"

#include "core/io/offload_text.h"
#include "core/reading/import_trace.h"
#include "core/sim/memory.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/read_traces.h"

#include <QtGlobal>

#include <algorithm>
#include <numeric>
#include <string>

namespace pw::test {

namespace {

constexpr int stepCount = 6;

/// Of a whole sequence, what a segment takes.
double partOf(const Truth& truth, const PipelineSpec& spec, int segment)
{
    double before = 0, whole = 0;
    for (int i = 0; i < spec.segments(); ++i) {
        const int length = spec.segmentLengths[static_cast<std::size_t>(i)];
        before += i < segment ? length : 0;
        whole += length;
    }
    const double length = spec.segmentLengths[static_cast<std::size_t>(segment)] / whole;
    const double seen = 2 * before / whole + length; // of causal attention
    return length * (1 - truth.attention + truth.attention * seen);
}

Ticks part(Ticks time, double factor)
{
    return static_cast<Ticks>(static_cast<double>(time) * factor);
}

} // namespace

Costs trueCosts(const Truth& truth, const PipelineSpec& spec, const std::vector<int>& layers,
                const StageHolding& holding)
{
    Costs costs = expand(equalStages(1, 1, 1, truth.hop), spec);
    costs.fused.resize(costs.forward.size());
    costs.link.latency = part(truth.hop, 0.4 + 0.6 * truth.size / spec.segments());
    std::string offloaded;
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        const int count = layers[stage.index()];
        const bool first = stage == StageId(0), last = stage + 1 == spec.stages();
        const Ticks ends = (first ? truth.embedding : 0) + (last ? truth.head : 0);
        const bool again =
            isAmong(holding.recomputed, stage.value) ||
            (isAmong(truth.recomputed, stage.value) && !isAmong(holding.kept, stage.value));
        for (int segment = 0; segment < spec.segments(); ++segment) {
            const auto cell = cellIndex(spec, stage, segment);
            const double size = truth.size * partOf(truth, spec, segment);
            const Ticks layer = part(count * truth.forward, size);
            costs.forward[cell] = truth.fixed + layer + part(ends, size);
            const Ticks whole =
                truth.fixed + part(count * truth.backward, size) + part(2 * ends, size);
            const Ticks more =
                again ? part(truth.endsAgain ? costs.forward[cell] : layer, truth.again) : 0;
            costs.fused[cell] = whole + more;
            costs.weight[cell] = part(whole, truth.weightPart);
            // Two passes have the fixed part twice.
            costs.backward[cell] = whole - costs.weight[cell] + truth.fixed + more;
            const Bytes bytes = part(count * truth.layerActivation, size);
            costs.activation[cell].activation = again ? part(bytes, truth.kept) : bytes;
            costs.activation[cell].keptForWeight = bytes;
        }
        costs.weights.push_back(count * truth.layerWeights + (first ? truth.endWeights : 0) +
                                (last ? truth.endWeights : 0));
        costs.workspace.push_back(again ? truth.layerActivation : 0);
        if (isAmong(holding.offloaded, stage.value))
            offloaded += (offloaded.empty() ? "" : ",") + std::to_string(stage.value);
    }
    if (!offloaded.empty())
        costs.offload.cells = *parseOffload(offloaded, spec);
    costs.offload.link.bytesPerSecond = truth.hostRate;
    return costs;
}

std::vector<SimResult> steps(const Truth& truth, const Schedule& schedule, const Costs& costs,
                             int count, std::mt19937& random)
{
    std::vector<SimResult> all;
    std::normal_distribution<double> pass(0, truth.passNoise), step(0, truth.stepNoise);
    for (int i = 0; i < count; ++i) {
        Costs own = costs;
        const double common = 1 + step(random);
        for (const EntryId entry : schedule.entries()) {
            const OrderEntry one = schedule.entry(entry);
            const auto time = static_cast<double>(entryTime(costs, schedule.spec(), one));
            own.single.push_back(
                {one.pass, static_cast<Ticks>(time * common * std::max(0.5, 1 + pass(random)))});
            if (one.paired) // with single times a pair takes their sum
                own.single.push_back({one.partner, 0});
        }
        std::sort(own.single.begin(), own.single.end(),
                  [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
        all.push_back(*simulate(schedule, own));
    }
    return all;
}

Ticks medianStep(const std::vector<SimResult>& all)
{
    std::vector<Ticks> spans;
    for (const SimResult& one : all)
        spans.push_back(one.makespan);
    std::sort(spans.begin(), spans.end());
    return spans[spans.size() / 2];
}

AdviceSource tracedSource(const Schedule& schedule, const std::vector<SimResult>& all)
{
    Trace trace = traceOf(chromeTraces(schedule, all, Recording{}));
    const std::vector<AlignedPipeline> pipelines = recoverAllAligned(trace);
    Result<AdviceSource> source = adviceSource(trace, pipelines, 0);
    if (!source)
        qFatal("%s", source.error().message.c_str());
    return std::move(*source);
}

Measured measured(const Truth& truth, const char* family, std::mt19937& random)
{
    const FamilyOptions options = sized(static_cast<int>(truth.layers.size()), truth.microBatches);
    const Family& made = familyOf(family);
    const PipelineSpec spec = *specOf(made, options);
    const Costs costs = trueCosts(truth, spec, truth.layers);
    Schedule schedule = *made.build(spec, options, costs);
    std::vector<SimResult> all = steps(truth, schedule, costs, stepCount, random);
    std::vector<Bytes> peaks = heldAtMost(schedule, costs, all.front());
    return {std::move(schedule), std::move(all), std::move(peaks)};
}

namespace {

Truth sizedLike(const Truth& truth, const AdvisedChange& change)
{
    Truth sized = truth;
    sized.size = change.change.microBatchSize;
    return sized;
}

Costs changedCosts(const Truth& truth, const AdvisedChange& change)
{
    const PipelineSpec& spec = change.promise.prediction.schedule.spec();
    std::vector<int> layers = change.split();
    const std::size_t stages = static_cast<std::size_t>(spec.stages());
    if (layers.empty() && stages == truth.layers.size())
        layers = truth.layers;
    if (layers.empty()) // cut evenly
        layers.assign(stages,
                      std::accumulate(truth.layers.begin(), truth.layers.end(), 0) / spec.stages());
    return trueCosts(truth, spec, layers, change.change.holding);
}

} // namespace

std::vector<SimResult> changedSteps(const Truth& truth, const AdvisedChange& change,
                                    std::mt19937& random)
{
    const Truth sized = sizedLike(truth, change);
    const Schedule& schedule = change.promise.prediction.schedule;
    return steps(sized, schedule, changedCosts(sized, change), stepCount, random);
}

std::vector<Bytes> changedPeaks(const Truth& truth, const AdvisedChange& change)
{
    const Truth sized = sizedLike(truth, change);
    const Schedule& schedule = change.promise.prediction.schedule;
    const Costs costs = changedCosts(sized, change);
    return heldAtMost(schedule, costs, *simulate(schedule, costs));
}

Truth truthOf(int number)
{
    std::mt19937 random(static_cast<std::uint32_t>(number));
    const auto between = [&random](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    Truth truth;
    truth.weightPart = between(0.33, 0.5);
    truth.head = static_cast<Ticks>(between(0, 30) * 1e6);
    truth.embedding = static_cast<Ticks>(between(0, 4) * 1e6);
    truth.backward = static_cast<Ticks>(between(8, 12) * 1e6);
    truth.fixed = static_cast<Ticks>(between(0, 0.8) * 1e6);
    truth.hop = static_cast<Ticks>(between(0.05, 1) * 1e6);
    truth.passNoise = between(0.005, 0.06);
    truth.stepNoise = between(0.002, 0.015);
    truth.microBatches = number % 2 == 0 ? 8 : 12;
    truth.again = between(0.88, 1.08);
    truth.endsAgain = number % 3 == 0;
    truth.hostRate = between(25e9, 58e9);
    truth.kept = between(0.04, 0.07);
    truth.attention = between(0, 0.3);
    truth.layerActivation = static_cast<Bytes>(between(40, 120) * 1e6);
    return truth;
}

AdviceRequest quickRequest()
{
    AdviceRequest request;
    request.seconds = 600;
    request.looks = 500;
    request.most = 100;
    return request;
}

} // namespace pw::test
