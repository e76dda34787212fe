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
// A pipeline that updates once a step has replicated stages too (`onStageReplicas`): the copies of
// a stage add up their gradients before that update, as those of replicas of the whole pipeline do.
// Segments of a micro-batch all go to its replica, which has the keys and values that the later
// ones attend to.
//
// PipeDream's runtime makes one update of a round, with the mean of its gradients. Here a gradient
// stays an update of its own, as everywhere in this family: as many updates with replicas as
// without, each of one micro-batch, none weighted differently.

/// Micro-batches after which every stage is at its first replica again: the least common multiple.
/// Above `maxRoutes` it is only that.
int stageReplicaTurn(std::span<const int> replicas);

/// Devices of every stage, where stages have replicas of their own; else empty.
std::vector<int> stageReplicasOf(const PipelineSpec& spec);

/// Whether the stages of a spec can have replicas of their own.
/// @param spec      of one pipeline: a stage a device
/// @param replicas  of each stage
/// @error BadValue  another placement, a list of another length, a count below 1 or above
///                  `maxRoutes`, more than `maxRoutes` routes, micro-batches of a step that are no
///                  multiple of the routes: names the value and what would do
Result<void> checkStageReplicas(const PipelineSpec& spec, std::span<const int> replicas);

/// The order of PipeDream with replicated stages. Stage s stands on the next r devices after those
/// of the stages before it; a device warms up with (P − 1 − devices of earlier stages) ⁄ r
/// forwards, P being all devices, and then takes a forward and a backward in turn. The segments of
/// a micro-batch stay together.
///
/// @param spec      of one pipeline that updates after every micro-batch: a stage a device
/// @error BadValue  another update rule, and as of `checkStageReplicas`
/// @error TooLarge  as of `check(PipelineSpec)`
/// @source          PipeDream, SOSP 2019, section 3.2; warm-up of its public runtime
Result<Schedule> withStageReplicas(const PipelineSpec& spec, std::span<const int> replicas);

/// How many places of a line of devices a stage with replicas stands for: as many as it has
/// replicas, and where micro-batches have segments some more. For a replica takes all segments of a
/// micro-batch, one after the other, and so is r times as long at it as r places of a line that
/// share them: (segments − 1)·(R − 1) more forwards have to be under way, R being the most replicas
/// of this stage and those behind it.
std::vector<int> linePlaces(std::span<const int> replicas, int segments);

/// Any other order with replicated stages, from its order on a line with `linePlaces`. A stage has
/// the order of the first of its places there; a replica does what is of its micro-batches.
///
/// No ring of waiting devices comes of it: in the line too, a pass of a stage's first place comes
/// before the same one of whoever is behind, and what a replica leaves out only waits less.
///
/// @param line      one route, a stage a device; updates once a step
/// @error           as of `withStageReplicas`
/// @source          own, after 1F1B-RR
Result<Schedule> onStageReplicas(const Schedule& line, std::span<const int> replicas);

/// What the places of such a line take, for a family that looks at costs: each of n places an n-th
/// of their stage's times, caps as of the stage's device.
/// @pre no costs by pair of devices or by single pass, nothing offloaded
Costs lineCosts(const Costs& costs, std::span<const int> places);

/// The costs of the devices that replicas of stages take: caps are those of the stage's device.
/// @error BadValue  links of single pairs of devices, or times of single passes, which say nothing
///                  of further devices
Result<Costs> stageReplicaCosts(const Costs& costs, std::span<const int> replicas);

} // namespace pw
