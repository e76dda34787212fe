// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/headlines.h"

#include "core/sim/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::plan {

namespace {

constexpr std::array<HeadlinePaper, 8> allHeadlinePapers = {{
    {"gpipe", "GPipe: speed with 32 micro-batches, and the rule M ≥ 4K",
     "arXiv:1811.06965 §2.3, table 2 (Transformer-48 on TPUs, M = 32, over K = 2, M = 1) and table "
     "3 (24 layers on P100 without NVLink, over K = 2)",
     "equal stages, messages take no time; of the rule the published figure is the paper's "
     "formula, "
     "a bubble of a ninth to a sixth that recomputation may begin in",
     "the ends of a Transformer are heavier than its middle, and messages take time",
     headlines::gpipe},
    {"ada-grouper", "Ada-Grouper: gain of the best group k over 1F1B on a preempted network",
     "arXiv:2303.01675, abstract",
     "only the range is printed: eight equal stages, 48 micro-batches, backwards of twice a "
     "forward, messages of 5 to 20 % of a forward with its backward, k up to 6",
     "the network of the paper is not known: a quicker one gives 4 %, a slower one 30 %",
     headlines::adaGrouper},
    {"zero-bubble", "Zero Bubble: samples a second of one GPU, and memory",
     "arXiv:2401.10241 table 4, and the profiled passes of table 9 at the first m (models and "
     "micro-batches of table 3, up to 32 A100 on RoCE)",
     "A100 of 80 GB in nodes of 8 with 100 GB/s to the others; first and last stage one layer "
     "less; "
     "1F1B-I with one layer a chunk; the paper's heuristic for ZB-1p and ZB-2p; gradients are "
     "summed "
     "by the products that make them; a GB of memory is 2^30 bytes, as drivers count",
     "our forwards are 7 to 18 % shorter than the profiled ones, backwards and weight passes "
     "within "
     "5 %: the span that was profiled for F has more in it than its kernels",
     headlines::zeroBubble},
    {"controllable-memory", "Controllable memory: pure pipelines",
     "arXiv:2405.15362 abstract, tables 2, 4 and 5 (40 A100 of 80 GB, sequence 1024)",
     "micro-batches of 4, 2, 1 for 9.6B, 21B, 38.5B on 16, 24, 32 GPUs, 2p to 16p of them; first "
     "and last stage one layer less; the gain is V-ZB's over 1F1B",
     "our pipelines reach 5 to 10 points more, by our shorter forwards (see Zero Bubble); the "
     "widest gains stand in cells that are not readable, where fewer micro-batches would widen "
     "ours",
     headlines::controllableMemory},
    {"grid", "Controllable memory: the grid of hybrid parallelism, 98.5B on 40 A100",
     "arXiv:2405.15362 abstract and table 3 (best MFU of each method)",
     "the grid is DP × TP × PP × micro-batch with sequence parallelism and ZeRO 1, layers "
     "balanced; "
     "ZB-1P is ZB-H1; fused attention for 3072 tokens, since V-ZB would not fit without, as it "
     "does "
     "there",
     "all methods reach 4 to 10 points more here, by our shorter forwards; the best is the same "
     "method at either sequence",
     headlines::hybridGrid},
    {"2bw", "PipeDream-2BW against model parallelism, 1F1B with flush and itself at two batches",
     "arXiv:2006.09503 §5 (p3.16xlarge: 8 V100 of 16 GB, 25 Gbit/s a node; sequence 512, "
     "recomputation)",
     "shapes of 2.2B (48 layers of 1920) and 3.8B (48 of 2560) and the low batch of 512 are ours; "
     "rates so that one worker reaches the 45 TFLOP/s that the paper names; micro-batches of 8; "
     "pipelines of 8 and 16 devices, tensor parallelism of as many",
     "over 25 Gbit/s the sum of gradients takes longer here than what a flush waits, so that "
     "hiding it gains more and 1F1B less; which batches the published bars stand for can only be "
     "read by eye",
     headlines::doubleBuffered},
    {"seq1f1b", "Seq1F1B: throughput and memory over 1F1B", "arXiv:2406.03488, abstract",
     "2.7B and 7B on 8 A100 as a pure pipeline, sequences of 16k to 32k, 16 micro-batches of one "
     "sequence, four segments of equal work; the tables of the paper were not readable",
     "the published baseline is the better of several, ours 1F1B alone; for 30B the published "
     "figure is what a device has, which the one must exceed and the other must not",
     headlines::sequenceLevel},
    {"primus", "Primus: schedules of one model on one MI300X node",
     "measurements published with AMD-AGI/Primus (1F1B, interleaved ×2, ZBV, V-Half, V-Min)",
     "the model is not named: Llama 2 7B, sequence 4096, 64 micro-batches of 1; the parts of the "
     "A100's data sheet that were fitted stand for the MI300X",
     "the MI300X was not measured: its absolute rate is a guess; all five memories are half of "
     "ours, so that the model, or what its optimizer holds, is smaller than what is assumed",
     headlines::primus},
}};

double headlineDifference(HeadlineUnit unit, double ours, double published)
{
    constexpr double percent = 100;
    return unit == HeadlineUnit::Percent ? ours - published : percent * (ours / published - 1);
}

/// Makespan of a family on equal stages, in milliseconds.
double equalStages(std::string_view id, int devices, int microBatches, const UniformCosts& costs,
                   std::vector<std::pair<std::string, double>> parameters = {})
{
    const Result<const Family*> family = findFamily(id);
    if (!family)
        return 0;
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    options.parameters = std::move(parameters);
    const Result<Schedule> schedule = buildUniform(**family, options, costs);
    if (!schedule)
        return 0;
    const Result<SimResult> result = simulate(*schedule, expand(costs, schedule->spec()));
    return result ? msFromTicks(result->makespan) : 0;
}

} // namespace

std::string_view unitText(HeadlineUnit unit)
{
    switch (unit) {
    case HeadlineUnit::Percent:
        return "%";
    case HeadlineUnit::Times:
        return "×";
    case HeadlineUnit::SamplesPerSecond:
        return "samples/s";
    case HeadlineUnit::TokensPerSecond:
        return "tokens/s";
    case HeadlineUnit::Milliseconds:
        return "ms";
    case HeadlineUnit::Gigabytes:
        return "GB";
    }
    return "";
}

Figure Headline::difference() const
{
    return {headlineDifference(unit, ours.from, published.from),
            headlineDifference(unit, ours.to, published.to)};
}

std::span<const HeadlinePaper> headlinePapers()
{
    return allHeadlinePapers;
}

double meanDifference(const std::vector<Headline>& headlines, bool percentages)
{
    double sum = 0;
    int count = 0;
    for (const Headline& one : headlines) {
        if ((one.unit == HeadlineUnit::Percent) != percentages)
            continue;
        const Figure difference = one.difference();
        sum += std::abs(difference.from);
        ++count;
        if (one.published.isRange()) {
            sum += std::abs(difference.to);
            ++count;
        }
    }
    return count > 0 ? sum / count : 0;
}

namespace headlines {

LanguageModel presetModel(std::string_view name, int sequence)
{
    LanguageModel model = findModel(name).value_or(LanguageModel());
    if (sequence > 0) {
        model.dense.sequence = sequence;
        model.dense.positions = 0;
    }
    return model;
}

std::optional<Evaluation> evaluated(const LanguageModel& model, const Cluster& cluster,
                                    const Configuration& configuration)
{
    Result<Evaluation> evaluation =
        evaluate(model, cluster, configuration, piecesOf(model, cluster, configuration),
                 Exactness::Periodic);
    if (!evaluation)
        return std::nullopt;
    return std::move(*evaluation);
}

std::vector<int> lighterEnds(int layers, int stages)
{
    std::vector<int> split(static_cast<std::size_t>(stages), (layers + 2) / stages);
    --split.front();
    --split.back();
    return split;
}

std::vector<Headline> gpipe(const std::atomic<bool>*)
{
    // A forward that is done again and a backward of twice a forward; only ratios count.
    const auto seconds = [](int k, int m) {
        UniformCosts share;
        const Ticks whole = 1024 * ticksPerMs;
        share.forward = whole / (k * m);
        share.backward = 2 * share.forward;
        share.weight = share.forward;
        return equalStages("gpipe", k, m, share);
    };
    std::vector<Headline> all;
    const double reference = seconds(2, 1);
    const std::pair<int, double> transformer[] = {{2, 1.8}, {4, 3.4}, {8, 6.3}};
    for (const auto& [k, published] : transformer) {
        all.push_back({"Transformer on TPUs, K = " + std::to_string(k) + ", M = 32",
                       HeadlineUnit::Times, published, reference / seconds(k, 32)});
    }
    const std::pair<int, double> hosts[] = {{4, 1.8}, {8, 3.3}};
    for (const auto& [k, published] : hosts) {
        all.push_back({"Transformer on P100, K = " + std::to_string(k) + " over K = 2, M = 32",
                       HeadlineUnit::Times, published, seconds(2, 32) / seconds(k, 32)});
    }
    for (const int k : {2, 4, 8}) {
        const double whole = seconds(1, 4 * k);
        all.push_back({"M = 4K, K = " + std::to_string(k) + ": bubble, (K−1)⁄(M+K−1)",
                       HeadlineUnit::Percent, 100.0 * (k - 1) / (5 * k - 1),
                       100 * (1 - whole / (k * seconds(k, 4 * k)))});
    }
    return all;
}

std::vector<Headline> adaGrouper(const std::atomic<bool>*)
{
    constexpr int devices = 8, microBatches = 48;
    const auto gain = [&](double delay) {
        UniformCosts costs;
        costs.forward = ticksPerMs;
        costs.backward = costs.weight = ticksPerMs;
        costs.hop = static_cast<Ticks>(delay * 3 * static_cast<double>(ticksPerMs));
        const double plain = equalStages("1f1b", devices, microBatches, costs);
        double best = plain;
        for (const double k : {2, 3, 4, 6}) {
            best =
                std::min(best, equalStages("kfkb", devices, microBatches, costs, {{"group", k}}));
        }
        return 100 * (plain / best - 1);
    };
    constexpr double quick = 0.05, slow = 0.2;
    return {{"gain over 1F1B", HeadlineUnit::Percent, {4, 30}, {gain(quick), gain(slow)}}};
}

} // namespace headlines

} // namespace pw::plan
