// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/step_curve.h"
#include "core/job/job.h"

#include <optional>
#include <string>

namespace pw {

/// Host work that collects memory or saves; see `namesCollector`.
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
