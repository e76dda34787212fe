// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job.h"
#include "core/trace/step_curve.h"

#include <optional>
#include <string>
#include <string_view>

namespace pw {

/// Whether a name of host work says that memory is collected or a checkpoint is saved: one of its
/// words is gc, garbage or save, or checkpoint beside write, dump or store. A checkpoint alone is
/// not: activations are checkpointed in every pass.
bool namesCollector(std::string_view name);

/// Host work of that kind.
struct CollectorWork
{
    std::string name;
    Ticks time = 0; ///< in the step, on the rank that has most of it
};

/// Host work of slow steps that explains at least half of what they take more than the others.
/// @param found  of the curve of the job's steps, by their numbers
/// @complexity   O(spans)
std::optional<CollectorWork> collectorWork(const Trace& trace, const Job& job,
                                           const CurveFinding& found);

} // namespace pw
