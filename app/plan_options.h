// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/plan/search.h"

#include <vector>

namespace pw::app {

/// What `plan` is asked for: a model, a cluster and what is wished of them.
struct PlanQuestion
{
    LanguageModel model;
    plan::Cluster cluster;
    plan::Wish wish;
};

/// --model, --hidden … --gpus, --tensor-parallel …
std::vector<Option> planningOptions();

/// The question of a command line.
tl::expected<PlanQuestion, Failure> planQuestion(const Arguments& arguments);

} // namespace pw::app
