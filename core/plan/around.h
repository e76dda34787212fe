// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/cluster.h"
#include "core/plan/configuration.h"
#include "core/plan/plan_model.h"
#include "core/plan/stage_memory.h"

namespace pw::plan {

/// Seconds around the pipeline of an iteration, for the weights of one device.
struct AroundParts
{
    double reduction = 0; ///< before anything is hidden
    double tied = 0;
    double optimizer = 0;

    friend bool operator==(const AroundParts&, const AroundParts&) = default;
};

/// @param weights  of the device with the most
AroundParts aroundOf(const PlanModel& model, const Cluster& cluster,
                     const Configuration& configuration, const DeviceWeights& weights);

} // namespace pw::plan
