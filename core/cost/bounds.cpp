// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/around.h"
#include "core/cost/configuration_traits.h"
#include "core/cost/engine_terms.h"
#include "core/cost/evaluate.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace pw::plan {

namespace {

/// Layers that a device holds at least in the mean; the last ones, which have the experts.
int shareOfLayers(const LanguageModel& model, const Configuration& configuration)
{
    return std::max(model.dense.layers / configuration.pipelineParallel, 1);
}

} // namespace

double leastBytes(const LanguageModel& model, const Configuration& configuration)
{
    DeviceWeights weights;
    const int share = shareOfLayers(model, configuration);
    double activations = 0, kept = 0;
    std::optional<bool> kind;
    DeviceWeights layerWeights;
    double layerActivations = 0, layerKept = 0;
    for (int i = 0; i < share; ++i) {
        const int layer = model.dense.layers - 1 - i;
        const bool experts = model.hasExperts(layer);
        if (kind != experts) {
            kind = experts;
            layerWeights = layerDeviceWeights(model, configuration, layer);
            layerActivations =
                layerActivationBytes(model, configuration, experts, configuration.recompute);
            layerKept = layerKeptBytes(model, configuration, experts);
        }
        weights += layerWeights;
        activations += layerActivations;
        kept += layerKept;
    }
    // Of what waits in the host's memory a stage has at least what its last F made: copies begin
    // behind it.
    const bool offloads = configuration.offload != OffloadPolicy::None;
    if (offloads)
        activations /= std::max(configuration.chunks, 1);
    // A share may be a layer less where the ends are heavy, and devices may hold less than the
    // worst.
    const double lighter = configuration.pipelineParallel > 1 ? share / (share + 1.0) : 1;
    double held = activations * (offloads ? 1 : microBatchesInFlight(configuration));
    // What B has computed again, of a segment, stays until W.
    const FamilyTraits traits = traitsOf(configuration);
    if (configuration.recompute == RecomputePolicy::Full && traits.splitsBackward)
        held = std::max(held, traits.firstPart * kept / std::max(configuration.chunks, 1));
    // The shapes of the last layer's matrices; those of other layers can only add to them.
    const double dummies = dummyGradientBytes(
        model, configuration, layerMatrices(model, configuration, model.dense.layers - 1));
    return lighter * (staticMemory(model, configuration, weights).total() + held) + dummies;
}

double leastWeightBytes(const LanguageModel& model, const Configuration& configuration)
{
    double least = std::numeric_limits<double>::infinity();
    const int routes = traitsOf(configuration).routes;
    for (const DeviceWeights& weights : leastWeights(model, configuration, routes))
        least = std::min(least, staticMemory(model, configuration, weights).total());
    constexpr double rounding = 1 - 1e-12;
    // Of the two copies of every stage of a device six numbers are cut to whole bytes.
    const double cut = 12.0 * configuration.chunks;
    return rounding * least - cut;
}

} // namespace pw::plan
