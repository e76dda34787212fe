// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "executor/api/backend.h"
#include "executor/api/run_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pw::app {

/// What is trained, and how.
struct Training
{
    exec::GptModel model;
    LayerSplit split;
    exec::Optimizer optimizer;
    std::uint64_t seed = 1;
};

/// --size, --layers …, --optimizer …, --seed.
std::vector<Option> trainingOptions();

/// What --optimizer takes: "sgd", "adamw" …
std::vector<std::string> optimizerNames();
/// The one that is asked for.
exec::OptimizerKind optimizerKindOf(const Arguments& arguments);

/// The first of `trainingOptions` that is given; none where all are left out.
std::optional<std::string> givenTrainingOption(const Arguments& arguments);

/// The model, its split and the optimizer that the options ask for. Without --layers there are at
/// least as many layers as stages. --size fit is refused: nothing says what is free.
tl::expected<Training, Failure> trainingOf(const Arguments& arguments, const PipelineSpec& spec);

/// The same for a schedule on a backend, whose free memory --size fit looks at.
tl::expected<Training, Failure> trainingOf(const Arguments& arguments, const Schedule& schedule,
                                           exec::Backend& backend);

/// Where --size fit chose a model: the options that give it again, whatever is free then, as
/// "--size fit is --layers 16 --hidden 2048 …". Else empty.
std::string fitText(const Arguments& arguments, const exec::GptModel& model);

/// Has a plan do what --zero-1, --clip-norm, --post-validation and --delay-correction ask for,
/// where the schedule and the backend can.
/// @param backend  cpu, cuda …
tl::expected<void, Failure> applyTraining(exec::RunPlan& plan, const Arguments& arguments,
                                          const std::string& backend);

/// --delay-correction.
/// @param usual  what it is where it is not given
Option delayCorrectionOption(const std::string& usual, const char* section);

/// What stands in a plan where nothing is trained.
Training withoutTraining(const PipelineSpec& spec);

} // namespace pw::app
