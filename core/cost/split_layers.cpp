// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/evaluate.h"

#include <algorithm>
#include <limits>

namespace pw::plan {

namespace {

/// The cut with the least sum of squares of stage times, by dynamic programming over stages and
/// layers: for layers that are not alike. @complexity O(stages·layers²)
std::vector<int> leastSquaresSplit(const std::vector<double>& layers, int stages, double first,
                                   double last)
{
    const std::size_t n = layers.size(), all = static_cast<std::size_t>(stages);
    std::vector<double> sum(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i)
        sum[i + 1] = sum[i] + layers[i];
    constexpr double none = std::numeric_limits<double>::infinity();
    std::vector<std::vector<double>> best(all + 1, std::vector<double>(n + 1, none));
    std::vector<std::vector<std::size_t>> from(all + 1, std::vector<std::size_t>(n + 1, 0));
    best[0][0] = 0;
    for (std::size_t s = 1; s <= all; ++s) {
        const double ends = (s == 1 ? first : 0) + (s == all ? last : 0);
        for (std::size_t to = 0; to <= n; ++to) {
            for (std::size_t begin = 0; begin <= to; ++begin) {
                const double time = sum[to] - sum[begin] + ends;
                const double value = best[s - 1][begin] + time * time;
                if (value < best[s][to]) {
                    best[s][to] = value;
                    from[s][to] = begin;
                }
            }
        }
    }
    std::vector<int> split(all, 0);
    for (std::size_t s = all, to = n; s > 0; --s) {
        split[s - 1] = static_cast<int>(to - from[s][to]);
        to = from[s][to];
    }
    return split;
}

} // namespace

std::vector<int> balancedSplit(const LanguageModel& model, const Pieces& pieces,
                               const PipelineSpec& spec)
{
    const int stages = spec.stages();
    const bool mixed = model.experts.count > 0 && model.experts.denseLayers > 0 && stages > 1;
    if (mixed) {
        std::vector<double> layers;
        for (int layer = 0; layer < model.dense.layers; ++layer)
            layers.push_back((model.hasExperts(layer) ? pieces.experts : pieces.dense).total());
        return leastSquaresSplit(layers, stages, pieces.embedding.total(), pieces.output.total());
    }
    // Layers that are alike: each in turn to the device that has least, there to the stage that has
    // least, and of equal ones to the last, whose devices hold fewer micro-batches.
    const double layer = model.experts.count > 0 ? pieces.experts.total() : pieces.dense.total();
    std::vector<double> stageLoad(static_cast<std::size_t>(stages), 0);
    std::vector<double> deviceLoad(static_cast<std::size_t>(spec.devices), 0);
    const auto give = [&](StageId stage, double seconds) {
        stageLoad[static_cast<std::size_t>(stage)] += seconds;
        for (int route = 0; route < spec.routeCount(); ++route)
            deviceLoad[static_cast<std::size_t>(spec.device(route, stage))] += seconds;
    };
    const auto load = [&](StageId stage) {
        double device = 0;
        for (int route = 0; route < spec.routeCount(); ++route)
            device =
                std::max(device, deviceLoad[static_cast<std::size_t>(spec.device(route, stage))]);
        return std::pair(device, stageLoad[static_cast<std::size_t>(stage)]);
    };
    give(StageId(0), pieces.embedding.total());
    give(StageId(stages - 1), pieces.output.total());
    std::vector<int> split(static_cast<std::size_t>(stages), 0);
    for (int left = model.dense.layers; left > 0; --left) {
        StageId best{0};
        for (StageId stage(1); stage < stages; ++stage) {
            if (load(stage) <= load(best))
                best = stage;
        }
        ++split[static_cast<std::size_t>(best)];
        give(best, layer);
    }
    return split;
}

std::vector<int> balancedSplit(const LanguageModel& model, const Cluster& cluster,
                               const Configuration& configuration, const Pieces& pieces,
                               const PipelineSpec& spec)
{
    if (cluster.groups.empty())
        return balancedSplit(model, pieces, spec);
    const int stages = spec.stages();
    std::vector<double> load(static_cast<std::size_t>(spec.devices), 0);
    std::vector<int> split(static_cast<std::size_t>(stages), 0);
    const auto piecesOn = [&](DeviceId device) -> const Pieces& {
        return piecesOfRank(cluster, configuration, pieces, device);
    };
    for (int route = 0; route < spec.routeCount(); ++route) {
        const DeviceId first = spec.device(route, StageId(0)),
                       last = spec.device(route, StageId(stages - 1));
        load[static_cast<std::size_t>(first)] += piecesOn(first).embedding.total();
        load[static_cast<std::size_t>(last)] += piecesOn(last).output.total();
    }
    // Layers of two kinds count as their mean: which of them a stage gets is known at the end.
    const double dense = model.experts.count > 0 ? model.experts.denseLayers : model.dense.layers;
    const double part = std::min(dense / model.dense.layers, 1.0);
    std::vector<double> layer;
    for (const DeviceId device : Ids<DeviceId>(spec.devices))
        layer.push_back(part * piecesOn(device).dense.total() +
                        (1 - part) * piecesOn(device).experts.total());
    const auto after = [&](StageId stage) {
        double most = 0;
        for (int route = 0; route < spec.routeCount(); ++route) {
            const auto d = static_cast<std::size_t>(spec.device(route, stage));
            most = std::max(most, load[d] + layer[d]);
        }
        return std::pair(most, split[static_cast<std::size_t>(stage)]);
    };
    for (int left = model.dense.layers; left > 0; --left) {
        StageId best{0};
        for (StageId stage(1); stage < stages; ++stage) {
            // Every stage has a layer before any has as many as it could.
            const bool empty = split[static_cast<std::size_t>(stage)] == 0;
            const bool bestEmpty = split[static_cast<std::size_t>(best)] == 0;
            if (empty == bestEmpty ? after(stage) <= after(best) : empty)
                best = stage;
        }
        ++split[static_cast<std::size_t>(best)];
        for (int route = 0; route < spec.routeCount(); ++route) {
            const auto d = static_cast<std::size_t>(spec.device(route, best));
            load[d] += layer[d];
        }
    }
    return split;
}

Evaluation withFittingSplit(const LanguageModel& model, const Cluster& cluster,
                            const Evaluation& evaluation, const Pieces& pieces, Exactness exactness)
{
    Evaluation best = evaluation;
    const Result<const Family*> family = findFamily(best.configuration.family);
    const Result<PipelineSpec> spec = specOf(
        **family, familyOptions(**family, best.configuration, best.configuration.microBatches()));
    if (!spec)
        return best;
    const auto fullness = [&](const Evaluation& one, DeviceId rank) {
        return one.memory[rank.index()].total() /
               clusterOfRank(cluster, one.configuration, rank).usableMemory();
    };
    const auto extreme = [&](const Evaluation& one, bool fullest) {
        DeviceId found{0};
        for (const DeviceId rank : Ids<DeviceId>(spec->devices)) {
            const double a = fullness(one, rank), b = fullness(one, found);
            if (fullest ? a > b : a < b)
                found = rank;
        }
        return found;
    };
    for (int moved = 0; moved < model.dense.layers && !best.fits; ++moved) {
        const DeviceId from = extreme(best, true), to = extreme(best, false);
        Configuration other = best.configuration;
        std::size_t most = 0, least = 0;
        bool gives = false, takes = false;
        for (const StageId s : Ids<StageId>(spec->stages())) {
            const auto i = static_cast<std::size_t>(s);
            if (spec->device(0, s) == from && other.split[i] > 1 &&
                (!gives || other.split[i] > other.split[most])) {
                most = i;
                gives = true;
            }
            if (spec->device(0, s) == to && (!takes || other.split[i] < other.split[least])) {
                least = i;
                takes = true;
            }
        }
        if (!gives || !takes || from == to)
            break;
        --other.split[most];
        ++other.split[least];
        Result<Evaluation> tried = evaluate(model, cluster, other, pieces, exactness);
        if (!tried || fullness(*tried, extreme(*tried, true)) >= fullness(best, from))
            break;
        best = std::move(*tried);
    }
    return best;
}

} // namespace pw::plan
