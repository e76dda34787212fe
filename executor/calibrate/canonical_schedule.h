// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/schedule.h"

#include <string_view>
#include <vector>

namespace pw::exec {

/// How a canonical schedule does its backward.
enum class BackwardForm
{
    Fused,     ///< F and BW in turn, as 1F1B
    Split,     ///< F, B and W in turn, W held back a little, as ZB-H1
    Recomputed ///< as fused, with an R before each BW
};

/// The forms that together have every kind of pass of a schedule, overlapped pairs aside: which
/// passes meet in a pair is the order's own, so only the order itself can be run for those.
std::vector<BackwardForm> formsOf(const Schedule& schedule);

/// Whether a schedule runs any two passes as an overlapped pair.
bool hasPairs(const Schedule& schedule);

/// An order for any shape that mixes the kinds of passes as real schedules do, so that what they
/// are measured to take there holds for others too.
///
/// Every pass has a moment: F of stage s moves on by one a stage and by two a micro-batch, a
/// backward returns the same way; devices do their passes by moment. Since a pass always has a
/// later moment than what it waits for, no ring is possible, wherever the stages are.
///
/// @param spec  its stages, segments, routes, devices and update rule count; one optimizer step
///              with its updates in the order
/// @param microBatches  at most; as many as the spec has where those are fewer, and at least one a
///                      route
Result<Schedule> canonicalSchedule(const PipelineSpec& spec, BackwardForm form, int microBatches);

} // namespace pw::exec
