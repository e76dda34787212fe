// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <span>
#include <vector>

namespace pw {

// PipeDream's replicated stages: a slow stage stands on several devices, which take micro-batches
// in turn (1F1B-RR), so that the pipeline is at most as fast as its slowest stage divided by its
// replicas.
//
// Micro-batch j runs forward and backward on replica j mod r of a stage with r of them. So it takes
// *route* j mod R, R being the least common multiple of all r: a route is one way through the
// devices. A stage has a copy of its weights for each route, several on one device where it has
// fewer replicas than there are routes. Every copy makes every update, in the order of
// micro-batches: the replicas run a round of r backwards, hand their gradients to one another, and
// then make the r updates of that round, so that copies never drift apart. A forward reads what the
// rounds before it have made, and its backward reads the same.
//
// PipeDream's runtime makes one update of a round, with the mean of its gradients. Here a gradient
// stays an update of its own, as everywhere in this family: as many updates with replicas as
// without, each of one micro-batch, none weighted differently.

/// Micro-batches after which every stage is at its first replica again: the least common multiple.
/// Above `maxRoutes` it is only that.
int stageReplicaTurn(std::span<const int> replicas);

/// Devices of every stage, where stages have replicas of their own; else empty.
std::vector<int> stageReplicasOf(const PipelineSpec& spec);

/// The order of PipeDream with replicated stages. Stage s stands on the next r devices after those
/// of the stages before it; a device warms up with (P − 1 − devices of earlier stages) ⁄ r
/// forwards, P being all devices, and then takes a forward and a backward in turn.
///
/// @param spec      of one pipeline that updates after every micro-batch: a stage a device
/// @param replicas  of each stage
/// @error BadValue  another update rule or placement, segments, a list of another length, a count
///                  below 1 or above `maxRoutes`, more than `maxRoutes` routes, micro-batches of a
///                  step that are no multiple of the routes: names the value and what would do
/// @error TooLarge  as of `check(PipelineSpec)`
/// @source          PipeDream, SOSP 2019, section 3.2; warm-up of its public runtime
Result<Schedule> withStageReplicas(const PipelineSpec& spec, std::span<const int> replicas);

/// The costs of the devices that replicas of stages take: caps are those of the stage's device.
/// @error BadValue  links of single pairs of devices, or times of single passes, which say nothing
///                  of further devices
Result<Costs> stageReplicaCosts(const Costs& costs, std::span<const int> replicas);

} // namespace pw
