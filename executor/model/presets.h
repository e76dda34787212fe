// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/run_plan.h"

#include <span>
#include <string_view>

namespace pw::exec {

/// A model to train, by name.
struct NamedGptModel
{
    std::string_view name;
    std::string_view summary; ///< one line: how large, and for what
    GptModel model;
};

std::span<const NamedGptModel> namedGptModels();

/// @error BadValue  names the model that was probably meant, or lists all
Result<GptModel> findGptModel(std::string_view name);

/// A step of the optimizer with which a model of that width learns from its first step on: 0.003,
/// and for wider ones 0.5 ⁄ hidden.
/// @source  Brown et al. 2020, table 2.1: 6e-4 for a width of 768, 1e-4 for 5,140, 0.6e-4 for
/// 12,288
double usualLearningRate(const GptModel& model);

} // namespace pw::exec
