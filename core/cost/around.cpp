// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/around.h"

#include <algorithm>

namespace pw::plan {

AroundParts aroundOf(const LanguageModel& model, const Cluster& cluster,
                     const Configuration& configuration, const DeviceWeights& weights, int routes)
{
    const int t = configuration.tensorParallel;
    const int replicas = configuration.dataParallel * configuration.contextParallel;
    // Gradients are summed in the type of the weights.
    const double element = model.dense.weightBytes;
    // Where replicas share the optimizer, the second half of the sum gathers weights, as narrow as
    // the products read them.
    const PrecisionTraits& traits = precisionTraits(model.dense.precision);
    const double gathered =
        traits.narrow && configuration.zero >= 1 ? traits.gatheredBytes : element;
    const auto sum = [&](const Group& group, double count) {
        return gatherSeconds(cluster, group, element * count, Constant::ReduceRate) +
               gatherSeconds(cluster, group, gathered * count, Constant::ReduceRate);
    };
    AroundParts parts;
    parts.reduction = sum(groupOf(cluster, replicas, t), weights.dense);
    const int expertReplicas = std::max(replicas * t / configuration.expertParallel, 1);
    if (weights.expert > 0) {
        parts.reduction +=
            sum(groupOf(cluster, expertReplicas, configuration.expertParallel), weights.expert);
    }
    // The other copy of a stage stands at the other end of the pipeline, at the farthest.
    if (routes > 1)
        parts.reduction += allReduceSeconds(
            cluster, groupOf(cluster, routes, t * replicas * (configuration.pipelineParallel - 1)),
            element * weights.total(), Constant::ReduceRate);
    // Where the vocabulary is split, both uses of a part are on one device.
    if (model.dense.tiedEmbedding && configuration.pipelineParallel > 1 &&
        !configuration.vocabularyParallel) {
        const double tied =
            static_cast<double>(vocabularyPart(model.dense, t)) * model.dense.hidden;
        const int apart = t * replicas * (configuration.pipelineParallel - 1);
        parts.tied = allReduceSeconds(cluster, groupOf(cluster, 2, apart), element * tied,
                                      Constant::ReduceRate);
    }
    // Weights, their master copies, gradients, two states: read and written, and looked through for
    // the norm and for overflow.
    const double touched = 2 * (model.dense.weightBytes + model.dense.optimizerBytes) + 12.0;
    double own = weights.total();
    if (configuration.zero >= 1)
        own = weights.dense / replicas + weights.expert / expertReplicas;
    parts.optimizer = trafficSeconds(cluster, touched * own);
    return parts;
}

AroundParts AroundParts::besideSteps(UpdateRule updates, int microBatches, double pipeline) const
{
    if (updates == UpdateRule::Flush)
        return *this;
    const double times = updates == UpdateRule::Stashed ? microBatches : 1;
    return {std::max(times * reduction - pipeline, 0.0), times * tied, times * optimizer};
}

double exposedReduction(double reduction, double backward)
{
    constexpr double lastBucket = 0.1;
    return std::max(reduction - backward, lastBucket * reduction);
}

} // namespace pw::plan
