// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/plan_options.h"

#include <string>

namespace pw::app {

/// The plan of a paper's own planner, with the model's times and bytes as its profile.
///
/// @param planner  "pipedream": stages with replicas, each as slow as the next; "2bw": equal
///                 pipelines of equal stages that hold two weight versions
Outcome paperPlan(const PlanQuestion& question, const std::string& planner, bool json,
                  Console& console);

} // namespace pw::app
