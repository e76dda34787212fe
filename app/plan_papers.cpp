// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/plan_papers.h"

#include "app/text_table.h"
#include "core/base/text.h"
#include "core/cost/planner.h"
#include "core/io/json_text.h"

#include <cmath>
#include <ostream>

namespace pw::app {

namespace {

Ticks paperTicks(double seconds)
{
    return static_cast<Ticks>(std::llround(seconds * static_cast<double>(ticksPerSecond)));
}

plan::Configuration paperConfiguration(const PlanQuestion& question, int samples)
{
    plan::Configuration c;
    c.tensorParallel = std::max(question.wish.tensorParallel, 1);
    c.microBatchSize = samples;
    c.globalBatch = question.wish.globalBatch;
    c.recompute = RecomputePolicy::None;
    return c;
}

double messageRate(const plan::Cluster& cluster, bool inside)
{
    const double rate = inside ? cluster.device.insideBandwidth
                               : cluster.device.nodeBandwidth / cluster.device.devicesPerNode;
    return rate * cluster.constants[plan::Constant::HopRate];
}

/// The embedding, every layer and the output layer as PipeDream's profiler sees them.
std::vector<LayerProfile> paperProfile(const PlanQuestion& question)
{
    const LanguageModel& model = question.model;
    const plan::Configuration c =
        paperConfiguration(question, std::max(question.wish.microBatchSize, 1));
    const plan::Pieces pieces = plan::piecesOf(model, question.cluster, c);
    const auto output = static_cast<Bytes>(plan::boundaryBytesOf(model, c));
    const double element = model.dense.weightBytes;
    const auto bytes = [&](const plan::DeviceWeights& weights) {
        return static_cast<Bytes>(weights.total() * element);
    };
    std::vector<LayerProfile> layers;
    layers.push_back({paperTicks(pieces.embedding.total()),
                      bytes(plan::embeddingDeviceWeights(model, c)), output});
    for (int layer = 0; layer < model.dense.layers; ++layer) {
        const plan::PieceTime& time = model.hasExperts(layer) ? pieces.experts : pieces.dense;
        layers.push_back(
            {paperTicks(time.total()), bytes(plan::layerDeviceWeights(model, c, layer)), output});
    }
    layers.push_back(
        {paperTicks(pieces.output.total()), bytes(plan::outputDeviceWeights(model, c)), 0});
    return layers;
}

/// The command that runs stages with replicas. The embedding and the output layer, which the
/// planner counts, are where `run` has them in any case.
std::string runCommandOf(const std::vector<ReplicatedStage>& stages)
{
    std::string replicas;
    std::string layers;
    int all = 0;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const int ends = (s == 0 ? 1 : 0) + (s + 1 == stages.size() ? 1 : 0);
        const int own = std::max(stages[s].layers - ends, 0);
        all += own;
        replicas += (s == 0 ? "" : ",") + std::to_string(stages[s].replicas);
        layers += (s == 0 ? "" : ",") + std::to_string(own);
    }
    return "pipewright run pipedream --stage-replicas " + replicas + " --layers " +
           std::to_string(all) + " --split " + layers;
}

Outcome pipeDreamPlan(const PlanQuestion& question, bool json, Console& console)
{
    const std::vector<LayerProfile> layers = paperProfile(question);
    const int machines = question.cluster.devices / std::max(question.wish.tensorParallel, 1);
    const bool inside = question.cluster.devices <= question.cluster.device.devicesPerNode;
    const Result<ReplicatedSplit> split =
        splitForMachines(layers, machines, messageRate(question.cluster, inside));
    if (!split)
        return wrong(split.error());
    if (json) {
        JsonText text;
        text.beginObject();
        text.member("planner", "pipedream");
        text.member("period_ms", msFromTicks(split->period));
        text.member("in_flight", split->inFlight);
        text.key("stages");
        text.beginArray();
        for (const ReplicatedStage& stage : split->stages) {
            text.beginObject(JsonText::Layout::OneLine);
            text.member("first_layer", stage.firstLayer);
            text.member("layers", stage.layers);
            text.member("replicas", stage.replicas);
            text.endObject();
        }
        text.endArray();
        text.endObject();
        console.out << text.text();
        return ExitCode::Good;
    }
    TextTable table(console.screen, {{"stage"}, {"first"}, {"layers"}, {"replicas"}});
    for (std::size_t s = 0; s < split->stages.size(); ++s) {
        const ReplicatedStage& stage = split->stages[s];
        table.append({std::to_string(s), std::to_string(stage.firstLayer),
                      std::to_string(stage.layers), std::to_string(stage.replicas)});
    }
    console.out << "PipeDream's partitioner: a micro-batch every " << millisecondText(split->period)
                << ", " << split->inFlight
                << " in flight. Layer 0 is the embedding, the last the output layer.\n\n"
                << table.text()
                << "\nIts stages, replicas and layers in a training of any size:\n  "
                << runCommandOf(split->stages) << "\n";
    return ExitCode::Good;
}

BlockModel paperBlocks(const PlanQuestion& question)
{
    const LanguageModel& model = question.model;
    BlockModel blocks;
    blocks.blocks = model.dense.layers;
    const plan::Configuration one = paperConfiguration(question, 1);
    plan::DeviceWeights weights;
    for (int layer = 0; layer < model.dense.layers; ++layer)
        weights += plan::layerDeviceWeights(model, one, layer);
    const double parameterBytes =
        model.dense.weightBytes + model.dense.gradientBytes + model.dense.optimizerBytes;
    blocks.weights = static_cast<Bytes>(weights.total() * parameterBytes);
    blocks.gradients = static_cast<Bytes>(weights.total() * model.dense.weightBytes);
    constexpr int mostSamples = 64;
    for (int samples = 1; samples <= mostSamples; samples *= 2) {
        if (question.wish.microBatchSize > 0 && samples != question.wish.microBatchSize)
            continue;
        const plan::Configuration c = paperConfiguration(question, samples);
        const plan::Pieces pieces = plan::piecesOf(model, question.cluster, c);
        double activation = 0;
        for (int layer = 0; layer < model.dense.layers; ++layer)
            activation += plan::layerActivationBytes(model, c, model.hasExperts(layer),
                                                     RecomputePolicy::None);
        const plan::PieceTime& time = model.experts.count > 0 ? pieces.experts : pieces.dense;
        blocks.profiles.push_back({samples, paperTicks(time.total()),
                                   static_cast<Bytes>(activation),
                                   static_cast<Bytes>(plan::boundaryBytesOf(model, c))});
    }
    return blocks;
}

Outcome doubleBufferedPlan(const PlanQuestion& question, bool json, Console& console)
{
    const int tensor = std::max(question.wish.tensorParallel, 1);
    Servers servers;
    servers.devices = question.cluster.devices / tensor;
    servers.devicesPerServer = std::max(question.cluster.device.devicesPerNode / tensor, 1);
    servers.insideBytesPerSecond = messageRate(question.cluster, true);
    servers.betweenBytesPerSecond = messageRate(question.cluster, false);
    servers.memory = static_cast<Bytes>(question.cluster.usableMemory());
    const Result<PipelinePlan> plan =
        planPipelines(paperBlocks(question), servers, question.wish.globalBatch);
    if (!plan)
        return wrong(plan.error());
    if (json) {
        JsonText text;
        text.beginObject();
        text.member("planner", "2bw");
        text.member("width", plan->width);
        text.member("depth", plan->depth);
        text.member("micro_batch_size", plan->samples);
        text.member("micro_batches", plan->microBatches());
        text.member("recompute", plan->recompute ? "full" : "none");
        text.member("period_ms", msFromTicks(plan->period));
        text.member("memory_bytes", plan->memory);
        text.member("samples_per_second", plan->samplesPerSecond);
        text.endObject();
        console.out << text.text();
        return ExitCode::Good;
    }
    console.out << "PipeDream-2BW's planner: width " << plan->width << ", depth " << plan->depth
                << ", micro-batches of " << plan->samples << ", " << plan->microBatches()
                << " a step, " << (plan->recompute ? "recomputed" : "nothing recomputed")
                << "\n  a micro-batch every " << millisecondText(plan->period) << ", "
                << plainNumber(plan->samplesPerSecond, 5) << " samples a second, "
                << byteText(plan->memory) << " a device with two weight versions\n";
    return ExitCode::Good;
}

} // namespace

Outcome paperPlan(const PlanQuestion& question, const std::string& planner, bool json,
                  Console& console)
{
    if (!question.cluster.groups.empty())
        return usage("--planner " + planner + " is for one kind of accelerator; --planner search " +
                     "takes several");
    return planner == "pipedream" ? pipeDreamPlan(question, json, console)
                                  : doubleBufferedPlan(question, json, console);
}

} // namespace pw::app
