// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/layers.h"

#include <cmath>
#include <numeric>

namespace pw {

namespace {

Ticks stageTime(const LessonLayers& layers, std::size_t stage, int count, Ticks layer)
{
    const auto plain = static_cast<double>(count * layer + layers.besides[stage]);
    return static_cast<Ticks>(std::llround(plain * layers.pace[stage]));
}

} // namespace

Costs costsOfLayers(const LessonLayers& layers, const Project& start, const std::vector<int>& split)
{
    Costs costs = costsOf(start);
    costs.offload = {};
    costs.fused.clear();
    costs.recompute.clear();
    const int all = std::accumulate(split.begin(), split.end(), 0);
    const std::vector<ActivationCost> equal =
        activationShares(start.draft.spec, layers.keptForWeight, 0);
    for (std::size_t s = 0; s < split.size(); ++s) {
        costs.forward[s] = stageTime(layers, s, split[s], layers.forward);
        costs.backward[s] = stageTime(layers, s, split[s], layers.backward);
        costs.weight[s] = stageTime(layers, s, split[s], layers.weight);
        // Of all activations a stage keeps the part that its layers are of all layers.
        const double part = static_cast<double>(split[s]) * static_cast<double>(split.size()) / all;
        const auto scaled = [part](Share share) {
            return static_cast<Share>(std::llround(static_cast<double>(share) * part));
        };
        costs.activation[s].share = scaled(equal[s].share);
        costs.activation[s].keptForWeightShare = scaled(equal[s].keptForWeightShare);
    }
    return costs;
}

std::optional<std::vector<int>> layersOf(const LessonLevel& level, const Project& project)
{
    if (!level.layers)
        return std::nullopt;
    const LessonLayers& layers = *level.layers;
    const Costs costs = costsOf(project);
    if (costs.forward.size() != layers.split.size())
        return std::nullopt;
    std::vector<int> split;
    for (std::size_t s = 0; s < layers.split.size(); ++s) {
        const double plain = static_cast<double>(costs.forward[s]) / layers.pace[s] -
                             static_cast<double>(layers.besides[s]);
        split.push_back(static_cast<int>(std::lround(plain / static_cast<double>(layers.forward))));
        if (split.back() < 1)
            return std::nullopt;
    }
    const auto sum = [](const std::vector<int>& counts) {
        return std::accumulate(counts.begin(), counts.end(), 0);
    };
    Project made = level.start;
    setTables(made, costsOfLayers(layers, level.start, split));
    if (sum(split) != sum(layers.split) || made.costs != project.costs)
        return std::nullopt;
    return split;
}

Result<Edit> moveLayer(const LessonLevel& level, const Project& project, int from, int to)
{
    auto split = layersOf(level, project);
    if (!split)
        return fail(ErrorCode::BadValue, "the times of the passes are those of no layers");
    const auto stages = static_cast<int>(split->size());
    if (from < 0 || from >= stages || to < 0 || to >= stages || from == to)
        return fail(ErrorCode::BadValue,
                    "a layer moves from one stage to another; stages are 0 to "
                    "%1",
                    stages - 1);
    int& given = (*split)[static_cast<std::size_t>(from)];
    if (given <= 1)
        return fail(ErrorCode::BadValue, "stage %1 has one layer only, and keeps it", from);
    --given;
    ++(*split)[static_cast<std::size_t>(to)];
    return Edit{{SetCosts{costsOfLayers(*level.layers, level.start, *split)}}};
}

} // namespace pw
