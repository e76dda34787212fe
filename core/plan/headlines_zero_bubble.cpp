// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/cost/configuration_traits.h"
#include "core/plan/headlines.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace pw::plan::headlines {

namespace {

constexpr double planPercent = 100;

Cluster a100s(int devices)
{
    return shippedCluster(accelerators().front(), devices);
}

/// A pure pipeline over all devices of a cluster.
Configuration purePipeline(std::string_view family, int devices, int microBatchSize,
                           int microBatches)
{
    Configuration c;
    c.family = std::string(family);
    c.pipelineParallel = devices;
    c.microBatchSize = microBatchSize;
    c.globalBatch = microBatchSize * microBatches;
    c.fusedAccumulation = true;
    return c;
}

/// ZB-auto as the papers' ZB-1p and ZB-2p: the heuristic, activations of p or 2p micro-batches.
void limitTo(Configuration& c, int devices)
{
    c.parameters = {{"memory-limit", devices}, {"time-limit", 0}};
}

/// A column of Zero Bubble's table 4.
struct Method
{
    std::string_view name;
    std::string_view family;
    int limit; ///< of ZB-auto in p; 0: none
};

constexpr std::array<Method, 4> zeroBubbleMethods = {{{"ZB-2p", "zb-auto", 2},
                                                      {"ZB-1p", "zb-auto", 1},
                                                      {"1F1B", "1f1b", 0},
                                                      {"1F1B-I", "interleaved-1f1b", 0}}};

struct ZeroBubbleModel
{
    std::string_view preset;
    int devices, samples;
    std::array<int, 3> microBatches;
    std::array<std::array<double, 3>, 4> rate; ///< samples a second of one GPU, by method
    std::array<double, 4> memory;              ///< GB
    std::array<double, 3> passes;              ///< T_F, T_B, T_W of a stage as profiled, ms
};

constexpr std::array<ZeroBubbleModel, 4> zeroBubbleTable = {
    {{"zb-1.5b",
      8,
      6,
      {24, 32, 64},
      {{{14.5, 14.8, 14.9}, {12.9, 13.4, 14.2}, {11.8, 12.5, 13.6}, {13.1, 13.4, 13.9}}},
      {59, 32, 30, 40},
      {18.522, 18.086, 9.337}},
     {"zb-6.2b",
      8,
      3,
      {24, 32, 64},
      {{{4.32, 4.35, 4.39}, {3.88, 4.00, 4.20}, {3.50, 3.70, 4.03}, {4.01, 4.08, 4.19}}},
      {70, 42, 39, 48},
      {29.718, 29.444, 19.927}},
     {"zb-14.6b",
      16,
      1,
      {48, 64, 128},
      {{{1.81, 1.83, 1.85}, {1.61, 1.67, 1.76}, {1.40, 1.49, 1.64}, {1.54, 1.59, 1.66}}},
      {51, 33, 32, 39},
      {11.347, 11.248, 8.132}},
     {"zb-28.3b",
      32,
      1,
      {96, 128, 256},
      {{{0.99, 1.00, 1.00}, {0.87, 0.90, 0.96}, {0.76, 0.80, 0.88}, {0.82, 0.85, 0.90}}},
      {74, 44, 43, 58},
      {10.419, 10.207, 7.715}}}};

std::optional<Evaluation> zeroBubbleCell(const ZeroBubbleModel& row, const Method& method, int m)
{
    const LanguageModel model = presetModel(row.preset);
    Configuration c = purePipeline(method.family, row.devices, row.samples, m);
    if (method.limit > 0)
        limitTo(c, method.limit * row.devices);
    const Family* const family = findFamily(method.family).value();
    if (findParameter(*family, ParameterRole::Chunks) != nullptr)
        c.chunks = (model.dense.layers + 2) / row.devices;
    c.split = lighterEnds(model.dense.layers, c.stages());
    return evaluated(model, a100s(row.devices), c);
}

/// Passes of a stage of the middle.
void profiledPasses(std::vector<Headline>& all, const ZeroBubbleModel& row)
{
    const LanguageModel model = presetModel(row.preset);
    const Configuration c = purePipeline("zb-h1", row.devices, row.samples, row.devices);
    const PieceTime layer = layerTime(model, c, a100s(row.devices), false);
    // Of each stage but the first and the last.
    const int layers = (model.dense.layers + 2) / row.devices;
    const double milliseconds = 1000.0 * layers;
    const std::array<double, 3> ours = {layer.forward.total(), layer.backward.total(),
                                        layer.weight.total()};
    constexpr std::array<std::string_view, 3> names = {"T_F", "T_B", "T_W"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        all.push_back(
            {std::string(row.preset.substr(3)) + ", " + std::string(names[i]) + " of a stage",
             HeadlineUnit::Milliseconds, row.passes[i], milliseconds * ours[i]});
    }
}

/// Table 2 of the controllable-memory paper with the micro-batches of table 4.
struct PurePipeline
{
    std::string_view preset;
    int devices, samples;
};

constexpr std::array<PurePipeline, 3> purePipelines = {
    {{"cm-9.6b", 16, 4}, {"cm-21b", 24, 2}, {"cm-38.5b", 32, 1}}};

std::optional<Evaluation> pureCell(const PurePipeline& row, std::string_view family, int m,
                                   RecomputePolicy recompute = RecomputePolicy::None)
{
    const LanguageModel model = presetModel(row.preset);
    Configuration c = purePipeline(family, row.devices, row.samples, m);
    c.recompute = recompute;
    c.split = lighterEnds(model.dense.layers, traitsOf(c).chunks * row.devices);
    return evaluated(model, a100s(row.devices), c);
}

/// What V-Half and V-Min hold of 1F1B's activations, on many equal stages.
void memoryParts(std::vector<Headline>& all)
{
    constexpr int devices = 32, microBatches = 128;
    const auto peak = [](std::string_view id) {
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = microBatches;
        const Result<Schedule> schedule =
            buildUniform(*findFamily(id).value(), options, UniformCosts{});
        const Result<SimResult> result =
            schedule ? simulate(*schedule, expand(UniformCosts{}, schedule->spec()))
                     : Result<SimResult>(fail(schedule.error()));
        return result ? peakMicroBatches(*result) : 0;
    };
    const double plain = peak("1f1b");
    const std::tuple<const char*, const char*, double> parts[] = {{"V-Half", "v-half", 1.0 / 2},
                                                                  {"V-Min", "v-min", 1.0 / 3}};
    for (const auto& [name, id, published] : parts)
        all.push_back({std::string("activation memory of ") + name + " over 1F1B, " +
                           std::to_string(devices) + " devices",
                       HeadlineUnit::Times, published, peak(id) / plain});
}

void pureGains(std::vector<Headline>& all, const std::atomic<bool>* stop)
{
    double least = 0, most = 0;
    for (const PurePipeline& row : purePipelines) {
        for (const int times : {2, 4, 8, 16}) {
            if (stopped(stop))
                return;
            const auto plain = pureCell(row, "1f1b", times * row.devices);
            const auto folded = pureCell(row, "v-zb", times * row.devices);
            if (!plain || !folded)
                continue;
            const double gain = planPercent * (plain->seconds() / folded->seconds() - 1);
            least = most == 0 ? gain : std::min(least, gain);
            most = std::max(most, gain);
        }
    }
    all.push_back({"gain over 1F1B, all models and micro-batches",
                   HeadlineUnit::Percent,
                   {7, 55},
                   {least, most}});
}

} // namespace

std::vector<Headline> zeroBubble(const std::atomic<bool>* stop)
{
    std::vector<Headline> all;
    for (const ZeroBubbleModel& row : zeroBubbleTable) {
        profiledPasses(all, row);
        std::array<std::array<double, 3>, zeroBubbleMethods.size()> rates{};
        for (std::size_t method = 0; method < zeroBubbleMethods.size(); ++method) {
            double memory = 0;
            const std::string name = std::string(row.preset.substr(3)) + ", " +
                                     std::string(zeroBubbleMethods[method].name);
            for (std::size_t i = 0; i < row.microBatches.size(); ++i) {
                if (stopped(stop))
                    return all;
                const int m = row.microBatches[i];
                const auto cell = zeroBubbleCell(row, zeroBubbleMethods[method], m);
                if (!cell)
                    continue;
                const double samples = static_cast<double>(m) * row.samples;
                all.push_back({name + ", m = " + std::to_string(m), HeadlineUnit::SamplesPerSecond,
                               row.rate[method][i], samples / (cell->seconds() * row.devices)});
                rates[method][i] = all.back().ours.from;
                memory = std::max(memory, cell->peakBytes());
            }
            all.push_back({name + ", memory", HeadlineUnit::Gigabytes, row.memory[method],
                           memory / gibibyte});
        }
        constexpr std::size_t doubled = 0, plain = 2; // methods
        if (rates[doubled][0] > 0 && rates[plain][0] > 0)
            all.push_back({std::string(row.preset.substr(3)) +
                               ", ZB-2p over 1F1B, m = " + std::to_string(row.microBatches[0]),
                           HeadlineUnit::Percent,
                           planPercent * (row.rate[doubled][0] / row.rate[plain][0] - 1),
                           planPercent * (rates[doubled][0] / rates[plain][0] - 1)});
    }
    return all;
}

std::vector<Headline> controllableMemory(const std::atomic<bool>* stop)
{
    std::vector<Headline> all;
    // Table 5: the forward of a chunk, which is one layer.
    const LanguageModel small = presetModel("cm-9.6b");
    const std::pair<int, double> forwards[] = {{4, 12.96}, {8, 26.30}, {12, 39.45}};
    for (const auto& [samples, published] : forwards) {
        const Configuration c = purePipeline("1f1b", 16, samples, 1);
        constexpr double thousand = 1000;
        all.push_back({"9.6B, F of a layer, micro-batch " + std::to_string(samples),
                       HeadlineUnit::Milliseconds, published,
                       thousand * layerTime(small, c, a100s(16), false).forward.total()});
    }
    struct Cell
    {
        std::string_view name, family;
        RecomputePolicy recompute;
        double published;
    };
    constexpr Cell table[] = {{"V-ZB", "v-zb", RecomputePolicy::None, 53.2},
                              {"V-Half", "v-half", RecomputePolicy::None, 51.8},
                              {"1F1B", "1f1b", RecomputePolicy::None, 47.1},
                              {"V-Min", "v-min", RecomputePolicy::None, 43.7},
                              {"1F1B-R", "1f1b", RecomputePolicy::Full, 37.2}};
    const PurePipeline& large = purePipelines.back();
    constexpr int microBatches = 512;
    for (const Cell& cell : table) {
        if (stopped(stop))
            return all;
        if (const auto row = pureCell(large, cell.family, microBatches, cell.recompute)) {
            all.push_back({"38.5B, m = 512, MFU of " + std::string(cell.name),
                           HeadlineUnit::Percent, cell.published,
                           planPercent * modelUtilisation(presetModel(large.preset),
                                                          a100s(large.devices), *row)});
        }
    }
    memoryParts(all);
    pureGains(all, stop);
    return all;
}

std::vector<Headline> hybridGrid(const std::atomic<bool>* stop)
{
    struct Line
    {
        int sequence, batch;
        std::array<double, 6> published;
    };
    struct Column
    {
        std::string_view name, family;
        RecomputePolicy recompute;
    };
    constexpr std::array<Column, 6> columns = {{{"1F1B", "1f1b", RecomputePolicy::None},
                                                {"1F1B-R", "1f1b", RecomputePolicy::Full},
                                                {"ZB-1P", "zb-h1", RecomputePolicy::None},
                                                {"V-Half", "v-half", RecomputePolicy::None},
                                                {"V-Min", "v-min", RecomputePolicy::None},
                                                {"V-ZB", "v-zb", RecomputePolicy::None}}};
    constexpr Line lines[] = {{1024, 160, {49.81, 37.15, 54.52, 52.60, 48.02, 57.58}},
                              {3072, 640, {57.25, 45.81, 56.55, 60.34, 55.51, 56.89}}};
    constexpr int devices = 40;
    std::vector<Headline> all;
    for (const Line& line : lines) {
        LanguageModel model = presetModel("cm-98.5b", line.sequence);
        // With all scores kept V-ZB would not fit the longer sequence, as it does there.
        model.dense.flashAttention = line.sequence > 1024;
        const std::string where = "sequence " + std::to_string(line.sequence) + ", batch " +
                                  std::to_string(line.batch) + ", ";
        double plain = 0, best = 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            Wish wish;
            wish.globalBatch = line.batch;
            wish.family = std::string(columns[i].family);
            wish.recompute = columns[i].recompute;
            wish.contextParallel = 1;
            wish.sequenceParallel = true;
            wish.zero = 1;
            wish.fusedAccumulation = true;
            wish.rows = 1;
            const Result<PlanTable> table = search(model, a100s(devices), wish, stop);
            if (stopped(stop))
                return all;
            if (!table || table->rows.empty())
                continue;
            const Evaluation& row = table->rows.front();
            const double mfu = planPercent * modelUtilisation(model, a100s(devices), row);
            if (i == 0)
                plain = mfu;
            if (columns[i].recompute == RecomputePolicy::None)
                best = std::max(best, mfu);
            all.push_back({where + "MFU of " + std::string(columns[i].name), HeadlineUnit::Percent,
                           line.published[i], mfu});
        }
        const double published =
            *std::max_element(line.published.begin(), line.published.end()) / line.published[0];
        if (plain > 0) {
            all.push_back({where + "gain of the best over 1F1B", HeadlineUnit::Percent,
                           planPercent * (published - 1), planPercent * (best / plain - 1)});
        }
    }
    return all;
}

} // namespace pw::plan::headlines
