// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

namespace pw {

// Data-parallel replicas: the same pipeline several times side by side, each on devices of its own
// with micro-batches of its own, whose weight gradients are added up before every update. A replica
// is a route (two for bidirectional families) on the next p devices: device r·p + i is device i of
// replica r, route r·q + n its route n of q. So everything that knows of routes knows of replicas:
// updates wait for all of them, gradients travel as messages, a stage has a copy on each.

/// The same order for d replicas: d·p devices and d·m micro-batches a step. Replica r has
/// micro-batches r·m … r·m + m − 1 of every step.
///
/// @param replicas  d; 1 gives the schedule as it is
/// @error BadValue  d below 1; more than `maxRoutes` routes; an update after every micro-batch,
///                  under which replicas would drift apart. The message has the largest d, or what
///                  would make it possible.
/// @error TooLarge  as of `check(PipelineSpec)`
Result<Schedule> withReplicas(const Schedule& schedule, int replicas);

/// The costs of d replicas: tables by device and single times are repeated. Between replicas a
/// message takes `link`; where every two devices have a link of their own, that of the same two
/// devices within a replica, and between the copies of one device the slowest of all.
Costs replicatedCosts(const Costs& costs, const PipelineSpec& spec, int replicas);

/// The order of one replica by itself, with the numbers that it has in the first one.
/// @param replica  from 0, below `replicasOf(schedule.spec())`
/// @error          as of `Schedule::make`
Result<Schedule> oneReplica(const Schedule& schedule, int replica);

/// What it costs: single times and copies are its own, the rest is the first one's.
/// @pre  costs of that schedule
Costs oneReplicaCosts(const Costs& costs, const Schedule& schedule, int replica);

/// How many replicas a spec has: the largest d for which it is one pipeline d times side by side.
int replicasOf(const PipelineSpec& spec);

} // namespace pw
