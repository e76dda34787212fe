// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/configuration_traits.h"
#include "core/plan/headlines.h"

#include <algorithm>
#include <array>

namespace pw::plan::headlines {

namespace {

constexpr double headlineGigabyte = 1e9;

/// V100 of 16 GB in p3.16xlarge instances. @source 25 Gbit/s a node
Cluster v100s(int devices)
{
    Accelerator v100 = findAccelerator("v100").value();
    v100.memory = 16384.0 * 1048576;
    v100.nodeBandwidth = 25e9 / 8;
    v100.nodePorts = 1;
    return shippedCluster(v100, devices);
}

LanguageModel doubleBufferedModel(int layers, int hidden, int heads)
{
    LanguageModel model = presetModel("gpt-355m");
    model.dense.layers = layers;
    model.dense.hidden = hidden;
    model.dense.heads = heads;
    return model;
}

Configuration recomputing(std::string_view family, int depth, int width, int batch)
{
    Configuration c;
    c.family = std::string(family);
    c.pipelineParallel = depth;
    c.dataParallel = width;
    c.globalBatch = batch;
    c.recompute = RecomputePolicy::Full;
    return c;
}

/// The quickest of the micro-batches that fit.
std::optional<Evaluation> quickest(const LanguageModel& model, Configuration c)
{
    if (c.pipelineParallel > 1)
        c.split.assign(static_cast<std::size_t>(c.pipelineParallel),
                       model.dense.layers / c.pipelineParallel);
    std::optional<Evaluation> best;
    const int samples = c.globalBatch / c.dataParallel;
    for (int size = 1; size <= samples; size *= 2) {
        c.microBatchSize = size;
        if (samples % size != 0)
            continue;
        std::optional<Evaluation> one = evaluated(model, v100s(c.devices()), c);
        if (one && one->fits && (!best || one->seconds() < best->seconds()))
            best = std::move(one);
    }
    return best;
}

/// Seconds of a batch with GPipe, which flushes as often within it as its memory asks.
double gpipeSeconds(const LanguageModel& model, int depth, int width, int batch)
{
    double best = 0;
    for (int flushes = 1; flushes * width <= batch; flushes *= 2) {
        const auto part = quickest(model, recomputing("gpipe", depth, width, batch / flushes));
        if (!part)
            continue;
        const double seconds = part->seconds() + (flushes - 1) * part->parts.pipeline;
        best = best == 0 ? seconds : std::min(best, seconds);
    }
    return best;
}

/// How many times as long every layer split over `degree` devices takes as 2BW with pipelines of as
/// many, both replicated; nothing where one of them does not fit.
std::optional<double> overTensor(const LanguageModel& model, int degree, int replicas, int batch)
{
    Configuration split = recomputing("1f1b", 1, replicas, batch);
    split.tensorParallel = degree;
    const auto tensor = quickest(model, split);
    const auto doubled = quickest(model, recomputing("pipedream-2bw", degree, replicas, batch));
    if (!tensor || !doubled)
        return std::nullopt;
    return tensor->seconds() / doubled->seconds();
}

/// Seconds of a batch with one micro-batch in the pipeline at a time.
double inTurns(const LanguageModel& model, Configuration c)
{
    const int micro = c.globalBatch / (c.dataParallel * c.microBatchSize);
    c.globalBatch = c.dataParallel * c.microBatchSize;
    const auto one = evaluated(model, v100s(c.devices()), c);
    return one ? one->seconds() + (micro - 1) * one->parts.pipeline : 0;
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
    return evaluated(model, shippedCluster(accelerators().front(), 8 * tensor), c);
}

} // namespace

std::vector<Headline> doubleBuffered(const std::atomic<bool>* stop)
{
    constexpr std::array<int, 2> batches = {512, 2048};
    std::vector<Headline> all;
    const LanguageModel smaller = doubleBufferedModel(48, 1920, 20),
                        larger = doubleBufferedModel(48, 2560, 40);
    std::array<double, 2> flush{}, steady{}, gpipe{}, turns{};
    for (std::size_t i = 0; i < batches.size(); ++i) {
        if (stopped(stop))
            return all;
        const auto best = [&](std::string_view family) {
            return quickest(smaller, recomputing(family, 8, 8, batches[i]));
        };
        const auto plain = best("1f1b"), doubled = best("pipedream-2bw");
        if (!plain || !doubled)
            return all;
        gpipe[i] = gpipeSeconds(smaller, 8, 8, batches[i]);
        flush[i] = plain->seconds();
        steady[i] = doubled->seconds();
        turns[i] = inTurns(smaller, plain->configuration);
    }
    const auto figure = [&all](const char* what, Figure published, Figure ours,
                               HeadlineKind kind = HeadlineKind::Figure) {
        all.push_back({what, HeadlineUnit::Times, published, ours, kind});
    };
    figure("2.2B, 2BW over GPipe, low batch, at most", 3.2, gpipe[0] / steady[0]);
    figure("2.2B, 1F1B with flush over GPipe, small and large batch", {2.1, 3},
           {gpipe[0] / flush[0], gpipe[1] / flush[1]});
    figure("2.2B, 1F1B with flush over layers in turn, small and large batch", {4.1, 5.3},
           {turns[0] / flush[0], turns[1] / flush[1]});
    figure("2.2B, 2BW over layers in turn, at most", 6.1,
           std::max(turns[0] / steady[0], turns[1] / steady[1]));
    figure("2.2B, 2BW over 1F1B with flush, low batch, at most", 1.6, flush[0] / steady[0]);
    figure("2.2B, 2BW over 1F1B with flush, batch 2048", 1.15, flush[1] / steady[1]);
    // The same micro-batch for each.
    const auto held = [&](std::string_view family) {
        Configuration c = recomputing(family, 8, 8, batches[0]);
        c.microBatchSize = 4;
        const auto row = evaluated(smaller, v100s(64), c);
        return row ? row->peakBytes() : 0;
    };
    figure("2.2B, memory of GPipe over 2BW, more than", 1, held("gpipe") / held("pipedream-2bw"),
           HeadlineKind::MoreThan);
    figure("2.2B, memory of 2BW over 1F1B with flush, more than", 1,
           held("pipedream-2bw") / held("1f1b"), HeadlineKind::MoreThan);
    if (const auto ratio = overTensor(smaller, 8, 1, batches[0]))
        figure("2.2B, 2BW over tensor parallelism, one node", 1.3, *ratio);
    if (const auto ratio = overTensor(larger, 16, 4, batches[1]))
        figure("3.8B, 2BW over tensor parallelism, 64 GPUs", 20, *ratio);
    Configuration deep = recomputing("pipedream-2bw", 64, 1, 512);
    deep.microBatchSize = 1;
    if (const auto row = evaluated(doubleBufferedModel(64, 6144, 48), v100s(64), deep))
        all.push_back({"30B on 64 GPUs of 16 GB, 2BW needs at most", HeadlineUnit::Gigabytes,
                       v100s(1).device.memory / headlineGigabyte,
                       row->peakBytes() / headlineGigabyte, HeadlineKind::AtMost});
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
                       device, plain->peakBytes() / headlineGigabyte, HeadlineKind::MoreThan});
        all.push_back({"30B, 64k tokens, 64 GPUs, Seq1F1B needs at most", HeadlineUnit::Gigabytes,
                       device, cut->peakBytes() / headlineGigabyte, HeadlineKind::AtMost});
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
    const Cluster cluster = shippedCluster(*device, devices);
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
        c.split = evenLayers(model.dense.layers, devices * std::max(c.chunks, traitsOf(c).chunks));
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
