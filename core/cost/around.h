// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/cluster.h"
#include "core/cost/configuration.h"
#include "core/cost/language_model.h"
#include "core/cost/stage_memory.h"
#include "core/model/pipeline_spec.h"

#include <array>

namespace pw::plan {

/// Seconds around the pipeline of an iteration, for the weights of one device.
struct AroundParts
{
    double reduction = 0; ///< before anything is hidden
    double tied = 0;
    double optimizer = 0;

    /// What of it a step takes beside a pipeline that never drains: the sum of gradients goes on
    /// beside the next step's passes, and what PipeDream does is done behind every micro-batch.
    ///
    /// @param pipeline  seconds that the passes of a step take
    /// @source arXiv:2006.09503 §3.1 (two versions of weights), SOSP'19 §3.3 (one a micro-batch)
    AroundParts besideSteps(UpdateRule updates, int microBatches, double pipeline) const;

    friend bool operator==(const AroundParts&, const AroundParts&) = default;
};

/// @param weights  of the device with the most
/// @param routes   of the pipeline: the gradients of every layer are summed over its copies, too
AroundParts aroundOf(const LanguageModel& model, const Cluster& cluster,
                     const Configuration& configuration, const DeviceWeights& weights, int routes);

/// Weights that the fullest device has at least: the mean of all devices. How many of them are
/// experts' is open; of what grows in a straight line with both kinds, one of the two is least.
///
/// @param routes  on which every layer stands
std::array<DeviceWeights, 2> leastWeights(const LanguageModel& model,
                                          const Configuration& configuration, int routes);

/// Seconds that are left of a sum of gradients which the last micro-batch's backward hides, all but
/// its last bucket.
/// @param backward  seconds of that backward
double exposedReduction(double reduction, double backward);

} // namespace pw::plan
