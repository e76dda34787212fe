// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/headlines.h"

#include "core/noise/adaptive_k.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::plan {

namespace {

constexpr std::array<HeadlinePaper, 8> allHeadlinePapers = {{
    {"gpipe",
     "GPipe: speed with 32 micro-batches, and the rule M ≥ 4K",
     "arXiv:1811.06965 §2.3, table 2 (Transformer-48 on TPUs, M = 32, over K = 2, M = 1) and table "
     "3 (24 layers on P100 without NVLink, over K = 2)",
     "equal stages, messages take no time; of the rule the published figure is the paper's "
     "formula, "
     "a bubble of a ninth to a sixth that recomputation may begin in",
     "the ends of a Transformer are heavier than its middle, and messages take time",
     headlines::gpipe,
     "Transformer on TPUs, K = 8, M = 32",
     {"pipewright simulate gpipe --devices 2 --micro-batches 1 --forward 512 --backward 1024 "
      "--weight 512",
      "pipewright simulate gpipe --devices 8 --micro-batches 32 --forward 4 --backward 8 "
      "--weight 4"}},
    {"ada-grouper",
     "Ada-Grouper: gain of the tuner of k over 1F1B on a network that changes",
     "arXiv:2303.01675, abstract",
     "only the range is printed: eight equal stages, 128 samples a step of which a device holds "
     "16, "
     "backwards of twice a forward; two networks of ours, one up to 10 and one up to 25 times "
     "slower for some of the time",
     "the networks of the paper are not known",
     headlines::adaGrouper,
     "gain over 1F1B, network up to 10 times slower",
     {"pipewright noise kfkb --adapt", ""}},
    {"zero-bubble",
     "Zero Bubble: samples a second of one GPU, and memory",
     "arXiv:2401.10241 table 4, and the profiled passes of table 9 at the first m (models and "
     "micro-batches of table 3, up to 32 A100 on RoCE)",
     "A100 of 80 GB in nodes of 8 with 100 GB/s to the others; first and last stage one layer "
     "less; "
     "1F1B-I with one layer a chunk; the paper's heuristic for ZB-1p and ZB-2p; gradients are "
     "summed "
     "by the products that make them; a GB of memory is 2^30 bytes, as drivers count",
     "our forwards are 7 to 18 % shorter than the profiled ones, backwards and weight passes "
     "within "
     "7 %: the span that was profiled for F has more in it than its kernels",
     headlines::zeroBubble,
     "6.2b, ZB-2p over 1F1B, m = 24",
     {"pipewright plan --model zb-6.2b --hardware a100 --gpus 8 --pipeline-parallel 8 "
      "--global-batch 72 --micro-batch-size 3 --split 3,4,4,4,4,4,4,3 --recompute-policy none "
      "--zero 0 "
      "--sequence-parallel no --overlap-reduction no --overlap-tensor no --fused-accumulation yes "
      "--family 1f1b",
      "pipewright plan --model zb-6.2b --hardware a100 --gpus 8 --pipeline-parallel 8 "
      "--global-batch 72 --micro-batch-size 3 --split 3,4,4,4,4,4,4,3 --recompute-policy none "
      "--zero 0 "
      "--sequence-parallel no --overlap-reduction no --overlap-tensor no --fused-accumulation yes "
      "--family zb-auto --parameter memory-limit=16 --parameter time-limit=0"}},
    {"controllable-memory",
     "Controllable memory: pure pipelines",
     "arXiv:2405.15362 abstract, tables 2, 4 and 5 (40 A100 of 80 GB, sequence 1024)",
     "micro-batches of 4, 2, 1 for 9.6B, 21B, 38.5B on 16, 24, 32 GPUs, 2p to 16p of them; first "
     "and last stage one layer less; the gain is V-ZB's over 1F1B",
     "our pipelines reach 5 to 10 points more, by our shorter forwards (see Zero Bubble); the "
     "widest gains stand in cells that are not readable, where fewer micro-batches would widen "
     "ours",
     headlines::controllableMemory,
     "activation memory of V-Min over 1F1B, 32 devices",
     {"pipewright compare 1f1b v-half v-min --devices 32 --micro-batches 128", ""}},
    {"grid",
     "Controllable memory: the grid of hybrid parallelism, 98.5B on 40 A100",
     "arXiv:2405.15362 abstract and table 3 (best MFU of each method)",
     "the grid is DP × TP × PP × micro-batch with sequence parallelism and ZeRO 1, layers "
     "balanced; "
     "ZB-1P is ZB-H1; fused attention for 3072 tokens, since V-ZB would not fit without, as it "
     "does "
     "there",
     "all methods reach 4 to 10 points more here, by our shorter forwards; the best is the same "
     "method at either sequence",
     headlines::hybridGrid,
     "sequence 1024, batch 160, gain of the best over 1F1B",
     {"pipewright plan --model cm-98.5b --sequence 1024 --positions 0 --hardware a100 --gpus 40 "
      "--global-batch "
      "160 --flash-attention no --context-parallel 1 --sequence-parallel yes --zero 1 "
      "--overlap-reduction no --overlap-tensor no --fused-accumulation yes --recompute-policy none "
      "--family 1f1b",
      "pipewright plan --model cm-98.5b --sequence 1024 --positions 0 --hardware a100 --gpus 40 "
      "--global-batch "
      "160 --flash-attention no --context-parallel 1 --sequence-parallel yes --zero 1 "
      "--overlap-reduction no --overlap-tensor no --fused-accumulation yes --recompute-policy none "
      "--family v-zb"}},
    {"2bw",
     "PipeDream-2BW against model parallelism, 1F1B with flush and itself at two batches",
     "arXiv:2006.09503 §5 (p3.16xlarge: 8 V100 of 16 GB, 25 Gbit/s a node; sequence 512, "
     "recomputation)",
     "shapes of 2.2B (48 layers of 1920), 3.8B (48 of 2560) and 30B (64 of 6144) and the low batch "
     "of 512 are ours; pipelines of 8 and 16 devices, for 30B of 64, tensor parallelism of as "
     "many; "
     "the largest micro-batch that fits, for each method",
     "GPipe ran out of memory there at a batch of 64 on eight GPUs; here ten times as much fits, "
     "so "
     "that it waits far less; the V100 is not fitted: its absolute rate is a guess; which batches "
     "the published bars stand for can only be read by eye",
     headlines::doubleBuffered,
     "2.2B, 2BW over GPipe, low batch, at most",
     {"pipewright plan --model gpt-355m --layers 48 --hidden 1920 --heads 20 --hardware v100 "
      "--memory-limit 16 --node-bandwidth 3.125 --gpus 64 --global-batch 512 --pipeline-parallel 8 "
      "--tensor-parallel 1 --context-parallel 1 --recompute-policy full --family gpipe --split "
      "6,6,6,6,6,6,6,6",
      "pipewright plan --model gpt-355m --layers 48 --hidden 1920 --heads 20 --hardware v100 "
      "--memory-limit 16 --node-bandwidth 3.125 --gpus 64 --global-batch 512 --pipeline-parallel 8 "
      "--tensor-parallel 1 --context-parallel 1 --recompute-policy full --family pipedream-2bw "
      "--split "
      "6,6,6,6,6,6,6,6"}},
    {"seq1f1b",
     "Seq1F1B: throughput and memory over 1F1B",
     "arXiv:2406.03488, abstract",
     "2.7B and 7B on 8 A100 as a pure pipeline, sequences of 16k to 32k, 16 micro-batches of one "
     "sequence, four segments of equal work; the tables of the paper were not readable",
     "the published baseline is the better of several, ours 1F1B alone; for 30B the published "
     "figure is what a device has, which the one must exceed and the other must not",
     headlines::sequenceLevel,
     "30B, 64k tokens, 64 GPUs, Seq1F1B needs at most",
     {"pipewright plan --model seq1f1b-30b --sequence 65536 --hardware a100 --gpus 64 "
      "--global-batch 16 --pipeline-parallel 8 --tensor-parallel 8 --context-parallel 1 "
      "--micro-batch-size 1 --recompute-policy none --zero 0 --sequence-parallel yes "
      "--fused-accumulation yes --positions 0 --family seq1f1b --parameter segments=4",
      ""}},
    {"primus",
     "Primus: schedules of one model on one MI300X node",
     "measurements published with AMD-AGI/Primus (1F1B, interleaved ×2, ZBV, V-Half, V-Min)",
     "the model is not named: Llama 2 7B, sequence 4096, 64 micro-batches of 1, stages of as many "
     "layers; the parts of the "
     "A100's data sheet that were fitted stand for the MI300X",
     "the MI300X was not measured: its absolute rate is a guess; all five memories are half of "
     "ours, so that the model, or what its optimizer holds, is smaller than what is assumed",
     headlines::primus,
     "ZBV, gain over 1F1B",
     {"pipewright plan --model llama-7b --hardware mi300x --gpus 8 --pipeline-parallel 8 "
      "--global-batch 64 --micro-batch-size 1 --recompute-policy none --zero 0 --sequence-parallel "
      "no "
      "--overlap-reduction no --overlap-tensor no --fused-accumulation yes --split even --family "
      "1f1b",
      "pipewright plan --model llama-7b --hardware mi300x --gpus 8 --pipeline-parallel 8 "
      "--global-batch 64 --micro-batch-size 1 --recompute-policy none --zero 0 --sequence-parallel "
      "no "
      "--overlap-reduction no --overlap-tensor no --fused-accumulation yes --split even --family "
      "zb-v"}},
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

std::vector<LinkPhase> slowPhases(std::initializer_list<std::pair<int, double>> phases)
{
    std::vector<LinkPhase> made;
    for (const auto& [start, factor] : phases)
        made.push_back({start * ticksPerMs, factor});
    return made;
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

HeadlineVerdict Headline::verdict() const
{
    if (kind != HeadlineKind::Figure) {
        const bool kept = kind == HeadlineKind::MoreThan ? ours.from > published.from
                                                         : ours.from <= published.from;
        return kept ? HeadlineVerdict::Agrees : HeadlineVerdict::Apart;
    }
    const bool points = unit == HeadlineUnit::Percent;
    const double agrees = points ? 3 : 10, near = points ? 8 : 25;
    const Figure apart = difference();
    const double most = std::max(std::abs(apart.from), std::abs(apart.to));
    return most <= agrees ? HeadlineVerdict::Agrees
           : most <= near ? HeadlineVerdict::Near
                          : HeadlineVerdict::Apart;
}

std::string_view verdictText(HeadlineVerdict verdict)
{
    switch (verdict) {
    case HeadlineVerdict::Agrees:
        return "agrees";
    case HeadlineVerdict::Near:
        return "near";
    case HeadlineVerdict::Apart:
        return "apart";
    }
    return "";
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
        if ((one.unit == HeadlineUnit::Percent) != percentages || one.kind != HeadlineKind::Figure)
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
    Result<Evaluation> evaluation = evaluatedAsRow(model, cluster, configuration);
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

std::vector<Headline> adaGrouper(const std::atomic<bool>* stop)
{
    const std::pair<const char*, std::vector<LinkPhase>> networks[] = {
        {"10",
         slowPhases(
             {{0, 1}, {4000, 4}, {9000, 1}, {12000, 10}, {18000, 2}, {24000, 1}, {27000, 6}})},
        {"25",
         slowPhases(
             {{0, 2}, {4000, 10}, {9000, 2}, {12000, 25}, {18000, 4}, {24000, 2}, {27000, 15}})}};
    const std::array<double, 2> published = {4, 30};
    std::vector<Headline> all;
    for (std::size_t i = 0; i < published.size(); ++i) {
        GroupingProblem problem;
        problem.forward = ticksPerMs;
        problem.backward = 2 * ticksPerMs;
        problem.fixed = ticksPerMs;
        problem.message = ticksPerMs / 10;
        problem.latency = ticksPerMs / 20;
        problem.trace = networks[i].second;
        constexpr int iterations = 100, every = 5, seed = 1;
        const Result<AdaptComparison> found =
            compareGroupings(problem, iterations, every, seed, [stop] { return stopped(stop); });
        if (!found || stopped(stop))
            return all;
        all.push_back(
            {std::string("gain over 1F1B, network up to ") + networks[i].first + " times slower",
             HeadlineUnit::Percent, published[i],
             100 * (static_cast<double>(found->fixed.front().total) /
                        static_cast<double>(found->adaptive.total) -
                    1)});
    }
    return all;
}

} // namespace headlines

} // namespace pw::plan
