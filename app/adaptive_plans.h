// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"
#include "executor/adapt/adaptive_run.h"

#include <functional>
#include <string_view>
#include <vector>

namespace pw::app {

/// What an adaptive run chooses from.
struct AdaptivePlans
{
    GroupingProblem problem; ///< the times that the plans have, for a simulation
    std::vector<exec::GroupingPlan> plans;
};

/// The pairs of k and micro-batch size of a command line, each with its plan. For a backend that
/// trains, the smallest and a large micro-batch are measured first, to choose the pairs, then the
/// micro-batches of these.
///
/// @param study  of kfkb; its shape counts
tl::expected<AdaptivePlans, Failure>
adaptivePlans(const Study& study, const Arguments& arguments, exec::Backend& backend,
              const exec::Stop& stop, const std::function<void(std::string_view)>& say);

} // namespace pw::app
