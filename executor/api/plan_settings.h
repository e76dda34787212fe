// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/run_plan.h"

#include <string>

namespace pw::exec {

/// The element as files write it: "float32", "bfloat16".
std::string_view name(Element element);

/// The optimizer as files write it: "sgd", "adamw", "muon".
std::string_view name(OptimizerKind kind);

/// Everything of a plan that its project does not say, as one line of JSON: family, seed, warmup,
/// iterations, modelled_links, patience_ns, what was slowed down on purpose, and objects model,
/// optimizer and split; of a stretch of an adaptive training the object adaptive, too.
std::string planSettings(const RunPlan& plan);

/// Schedule and costs of a plan as the text of a project file: the order itself, whoever made it.
/// @error BadValue  as of `writeProject`: a title that is not UTF-8
Result<std::string> planProject(const RunPlan& plan);

} // namespace pw::exec
