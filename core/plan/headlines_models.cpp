// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/headlines.h"

#include <algorithm>
#include <array>

namespace pw::plan::headlines {

namespace {

constexpr double headlineGigabyte = 1e9;

/// A V100 of 16 GB in a p3.16xlarge. Products reach what lets one worker train the 355M GPT at the
/// 45 TFLOP/s that the 2BW paper names.
/// @source data sheet: 125 TFLOP/s, 900 GB/s, NVLink 300 GB/s both ways; 25 Gbit/s a node
Cluster v100s(int devices)
{
    Accelerator v100;
    v100.name = "v100";
    v100.title = "NVIDIA V100 SXM 16 GB";
    v100.peakFlops = 125e12;
    v100.peakBandwidth = 900e9;
    v100.memory = 16384.0 * 1048576;
    v100.reserved = 1024.0 * 1048576;
    v100.units = 80;
    v100.insideBandwidth = 150e9;
    v100.nodeBandwidth = 25e9 / 8;
    v100.nodePorts = 1;
    Cluster cluster{v100, devices, fittedConstants()};
    const LanguageModel one = presetModel("gpt-355m");
    Configuration c;
    c.microBatchSize = c.globalBatch = 8;
    c.recompute = RecomputePolicy::Full;
    constexpr double named = 45e12;
    // The rate that is wanted, by halving: more of the peak is always faster.
    double low = 0.05, high = 1;
    constexpr int halvings = 30;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        Cluster single{v100, 1, cluster.constants};
        single.constants[Constant::MatrixRate] = middle;
        const auto row = evaluated(one, single, c);
        // Recomputation does a third of the operations once more.
        constexpr double recomputed = 4.0 / 3;
        const double reached =
            row ? recomputed * sampleFlops(one) * c.globalBatch / row->seconds() : 0;
        (reached < named ? low : high) = middle;
    }
    cluster.constants[Constant::MatrixRate] = low;
    return cluster;
}

LanguageModel doubleBufferedModel(int hidden, int heads)
{
    LanguageModel model = presetModel("gpt-355m");
    model.dense.layers = 48;
    model.dense.hidden = hidden;
    model.dense.heads = heads;
    return model;
}

/// Seconds of a batch on depth × width V100, by how the passes are ordered.
struct FlushTimes
{
    double flush = 0;  ///< 1F1B
    double steady = 0; ///< 2BW: no device waits for the pipeline
    double alone = 0;  ///< one micro-batch in the pipeline at a time
};

/// A pipeline stands in as few nodes as it can; its replicas, one node or more apart, sum over the
/// network.
std::optional<FlushTimes> flushTimes(const LanguageModel& model, int depth, int width, int batch)
{
    Configuration c;
    c.pipelineParallel = depth;
    c.microBatchSize = 8;
    c.globalBatch = batch / width;
    c.recompute = RecomputePolicy::Full;
    const Cluster pipeline = v100s(depth);
    const auto row = evaluated(model, pipeline, c);
    c.globalBatch = c.microBatchSize;
    const auto one = evaluated(model, pipeline, c);
    if (!row || !one)
        return std::nullopt;
    DeviceWeights weights;
    for (int layer = 0; layer < model.dense.layers / depth; ++layer)
        weights += layerDeviceWeights(model, c, layer);
    const Cluster whole = v100s(depth * width);
    const double sum =
        allReduceSeconds(whole, groupOf(whole, width, depth),
                         weights.total() * model.dense.weightBytes, Constant::ReduceRate);
    const double around = row->seconds() - row->parts.pipeline;
    const int m = batch / (width * c.microBatchSize);
    // With two versions the next batch begins while gradients are summed.
    return FlushTimes{row->seconds() + sum, std::max(row->seconds() - row->parts.idle, sum),
                      m * one->parts.pipeline + around + sum};
}

/// Seconds of a batch with every layer split over `degree` devices, which are replicated.
double tensorSeconds(const LanguageModel& model, int degree, int replicas, int batch)
{
    Configuration c;
    c.tensorParallel = degree;
    c.dataParallel = replicas;
    c.microBatchSize = 8;
    c.globalBatch = batch;
    c.recompute = RecomputePolicy::Full;
    const auto row = evaluated(model, v100s(degree * replicas), c);
    return row ? row->seconds() : 0;
}

std::optional<Evaluation> segmented(const LanguageModel& model, int tensor, bool segments)
{
    Configuration c;
    c.family = segments ? "seq1f1b" : "1f1b";
    if (segments)
        c.parameters = {{"segments", 4}};
    c.pipelineParallel = 8;
    c.tensorParallel = tensor;
    c.sequenceParallel = tensor > 1;
    c.fusedAccumulation = true;
    c.globalBatch = 16;
    settleSegments(model, c);
    return evaluated(model, {accelerators().front(), 8 * tensor, fittedConstants()}, c);
}

} // namespace

std::vector<Headline> doubleBuffered(const std::atomic<bool>*)
{
    constexpr int low = 512, high = 2048;
    std::vector<Headline> all;
    const LanguageModel smaller = doubleBufferedModel(1920, 20),
                        larger = doubleBufferedModel(2560, 40);
    const auto few = flushTimes(smaller, 8, 8, low), many = flushTimes(smaller, 8, 8, high);
    if (few && many) {
        all.push_back({"2.2B, 1F1B with flush over layers in turn, small and large batch",
                       HeadlineUnit::Times,
                       {4.1, 5.3},
                       {few->alone / few->flush, many->alone / many->flush}});
        all.push_back({"2.2B, 2BW over layers in turn, at most", HeadlineUnit::Times, 6.1,
                       std::max(few->alone / few->steady, many->alone / many->steady)});
        all.push_back({"2.2B, 2BW over 1F1B with flush, low batch, at most", HeadlineUnit::Times,
                       1.6, few->flush / few->steady});
        all.push_back({"2.2B, 2BW over 1F1B with flush, batch 2048", HeadlineUnit::Times, 1.15,
                       many->flush / many->steady});
    }
    if (const auto node = flushTimes(smaller, 8, 1, low)) {
        all.push_back({"2.2B, 2BW over tensor parallelism, one node", HeadlineUnit::Times, 1.3,
                       tensorSeconds(smaller, 8, 1, low) / node->steady});
    }
    if (const auto nodes = flushTimes(larger, 16, 4, high)) {
        all.push_back({"3.8B, 2BW over tensor parallelism, 64 GPUs", HeadlineUnit::Times, 20,
                       tensorSeconds(larger, 16, 4, high) / nodes->steady});
    }
    return all;
}

std::vector<Headline> sequenceLevel(const std::atomic<bool>* stop)
{
    std::vector<Headline> all;
    for (const std::string_view name : {"seq1f1b-2.7b", "seq1f1b-7b"}) {
        for (const int thousands : {16, 24, 32}) {
            if (stopped(stop))
                return all;
            const LanguageModel model = presetModel(name, 1024 * thousands);
            const auto plain = segmented(model, 1, false), cut = segmented(model, 1, true);
            if (!plain || !cut)
                continue;
            const std::string what =
                std::string(name.substr(8)) + ", " + std::to_string(thousands) + "k tokens, ";
            all.push_back({what + "throughput over 1F1B", HeadlineUnit::Times, 1.14,
                           plain->seconds() / cut->seconds()});
            all.push_back({what + "memory over 1F1B", HeadlineUnit::Times, 0.5,
                           cut->peakBytes() / plain->peakBytes()});
        }
    }
    // 30B with 64k tokens on 64 A100 without recomputation: trained with Seq1F1B alone. What a
    // device has stands where the paper says that it fits, or does not.
    const LanguageModel large = presetModel("seq1f1b-30b", 65536);
    const double device = accelerators().front().memory / headlineGigabyte;
    const auto plain = segmented(large, 8, false), cut = segmented(large, 8, true);
    if (plain && cut) {
        all.push_back({"30B, 64k tokens, 64 GPUs, 1F1B needs more than", HeadlineUnit::Gigabytes,
                       device, plain->peakBytes() / headlineGigabyte});
        all.push_back({"30B, 64k tokens, 64 GPUs, Seq1F1B needs at most", HeadlineUnit::Gigabytes,
                       device, cut->peakBytes() / headlineGigabyte});
    }
    return all;
}

std::vector<Headline> primus(const std::atomic<bool>* stop)
{
    struct Cell
    {
        std::string_view name, family;
        int chunks;
        double tokens, gigabytes;
    };
    constexpr std::array<Cell, 5> table = {{{"1F1B", "1f1b", 1, 10057, 16.26},
                                            {"interleaved ×2", "interleaved-1f1b", 2, 10974, 21.40},
                                            {"ZBV", "zb-v", 1, 11347, 18.11},
                                            {"V-Half", "v-half", 1, 10894, 14.06},
                                            {"V-Min", "v-min", 1, 8897, 11.90}}};
    constexpr int devices = 8, microBatches = 64;
    const LanguageModel model = presetModel("llama-7b");
    const Result<Accelerator> device = findAccelerator("mi300x");
    std::vector<Headline> all;
    if (!device)
        return all;
    const Cluster cluster{*device, devices, constantsFor("mi300x", true)};
    double plain = 0;
    for (const Cell& cell : table) {
        if (stopped(stop))
            return all;
        Configuration c;
        c.family = std::string(cell.family);
        c.chunks = cell.chunks;
        c.pipelineParallel = devices;
        c.globalBatch = microBatches;
        c.fusedAccumulation = true;
        const auto row = evaluated(model, cluster, c);
        if (!row)
            continue;
        const double tokens =
            static_cast<double>(microBatches) * model.dense.sequence / (row->seconds() * devices);
        const std::string name(cell.name);
        if (plain == 0) {
            plain = tokens;
            all.push_back(
                {name + ", rate of a GPU", HeadlineUnit::TokensPerSecond, cell.tokens, tokens});
        } else {
            constexpr double percent = 100;
            all.push_back({name + ", gain over 1F1B", HeadlineUnit::Percent,
                           percent * (cell.tokens / table.front().tokens - 1),
                           percent * (tokens / plain - 1)});
        }
        all.push_back({name + ", memory", HeadlineUnit::Gigabytes, cell.gigabytes,
                       row->peakBytes() / headlineGigabyte});
    }
    return all;
}

} // namespace pw::plan::headlines
