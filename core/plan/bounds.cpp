// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/around.h"
#include "core/plan/evaluate.h"
#include "core/plan/family_traits.h"

#include <algorithm>

namespace pw::plan {

namespace {

/// Layers that a device holds at least in the mean; the last ones, which have the experts.
int shareOfLayers(const PlanModel& model, const Configuration& configuration)
{
    return std::max(model.dense.layers / configuration.pipelineParallel, 1);
}

/// The least that an order waits for its first and last passes: the way to the last device takes
/// its forwards, and of orders that do not split the backward the way back too, where the last
/// device has no stage before its own way is gone.
/// @source theory of the bounds: a fused backward on one chunk never takes less than
/// (m+p−1)(T_F+T_BW)
double leastIdle(const Configuration& configuration, double forward, double all)
{
    const double steps = configuration.pipelineParallel - 1;
    const double chunks = std::max(configuration.chunks, 1);
    const FamilyTraits traits = traitsOf(configuration);
    const bool wayBack = traits.oneWay && !traits.splitsBackward;
    return steps * (wayBack ? all : traits.firstPart * forward) / chunks;
}

} // namespace

double leastSeconds(const PlanModel& model, const Cluster& cluster,
                    const Configuration& configuration, const Pieces& pieces)
{
    if (!cluster.groups.empty()) {
        // As though all were of the fastest kind.
        double least = leastSeconds(model, cluster.groups[0], configuration, pieces.kinds[0]);
        for (std::size_t i = 1; i < cluster.groups.size(); ++i)
            least = std::min(
                least, leastSeconds(model, cluster.groups[i], configuration, pieces.kinds[i]));
        return least;
    }
    const double m = configuration.microBatches(), p = configuration.pipelineParallel;
    const int dense = model.experts.count == 0
                          ? model.dense.layers
                          : std::min(model.experts.denseLayers, model.dense.layers);
    const int experts = model.dense.layers - dense;
    // Layers that are not computed again may be all but one of a stage.
    const bool some = configuration.recomputedLayers > 0;
    const PieceTime& denseLayer = some ? pieces.plainDense : pieces.dense;
    const PieceTime& expertLayer = some ? pieces.plainExperts : pieces.experts;
    const double layers = dense * denseLayer.total() + experts * expertLayer.total();
    const double forward =
        dense * denseLayer.forward.total() + experts * expertLayer.forward.total();
    const double once = layers + pieces.embedding.total() + pieces.output.total();
    const double busy =
        p > 1 ? 2 * m * configuration.chunks * cluster.constants[Constant::ExchangeTime] : 0;
    // Stages are not equal to the last layer: four fifths of what equal ones wait. Of two, a
    // lighter last one waits half: m·w₀ and (m−1)·w₁ + w₀ + w₁ are least together there.
    // Of several chunks the first and the last stage can be light, the devices not: a quarter.
    const double ofTwo = configuration.chunks > 1 ? 0.25 : 0.5;
    const double unequal = configuration.pipelineParallel > 2 ? 0.8 : ofTwo;
    const double idle = unequal * leastIdle(configuration, forward / p, layers / p);
    DeviceWeights weights;
    for (int i = 0; i < shareOfLayers(model, configuration); ++i)
        weights += layerDeviceWeights(model, configuration, model.dense.layers - 1 - i);
    const AroundParts around = aroundOf(model, cluster, configuration, weights);
    constexpr double lastBucket = 0.1;
    const double reduction =
        configuration.overlapReduction ? lastBucket * around.reduction : around.reduction;
    return m * once / p + busy + idle + reduction + around.tied + around.optimizer +
           cluster.constants[Constant::StepTime];
}

double leastPipelineSeconds(const Costs& costs, const PipelineSpec& spec)
{
    if (spec.routeCount() > 1)
        return 0;
    const std::size_t segments = spec.segmentLengths.size();
    const auto devices = static_cast<std::size_t>(spec.devices);
    std::vector<Ticks> busy(devices, 0);
    std::vector<Ticks> way(devices, -1); // to the device's first stage
    Ticks arrived = 0;
    for (const StageId s : Ids<StageId>(spec.stages())) {
        const auto d = static_cast<std::size_t>(spec.device(0, s));
        const std::size_t cell = static_cast<std::size_t>(s) * segments;
        if (way[d] < 0)
            way[d] = arrived;
        for (std::size_t k = cell; k < cell + segments; ++k)
            busy[d] += costs.forward[k] + costs.backward[k] + costs.weight[k];
        // The first segment alone is waited for.
        arrived += costs.forward[cell];
    }
    Ticks least = 0;
    for (std::size_t d = 0; d < devices; ++d)
        least = std::max(least, std::max<Ticks>(way[d], 0) + spec.microBatches * busy[d]);
    return static_cast<double>(least) / static_cast<double>(ticksPerSecond);
}

double leastBytes(const PlanModel& model, const Configuration& configuration)
{
    DeviceWeights weights;
    const int share = shareOfLayers(model, configuration);
    double activations = 0, kept = 0;
    for (int i = 0; i < share; ++i) {
        const int layer = model.dense.layers - 1 - i;
        weights += layerDeviceWeights(model, configuration, layer);
        activations += layerActivationBytes(model, configuration, model.hasExperts(layer),
                                            configuration.recompute);
        kept += layerKeptBytes(model, configuration, model.hasExperts(layer));
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
    return lighter * (staticMemory(model, configuration, weights).total() + held);
}

} // namespace pw::plan
