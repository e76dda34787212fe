// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/ops.h"
#include "executor/model/parameters.h"

#include <cstdint>
#include <span>

namespace pw::exec {

/// Which step of an optimizer is taken, over which parameters of a stage.
struct OptimizerStep
{
    const Optimizer& optimizer;
    int number = 1;    ///< from 1
    bool late = false; ///< its gradients are one step old
    std::span<const ParameterInfo> parameters{};
    std::span<const ParameterStretch> stretches{};
    std::int64_t begin = 0; ///< of the numbers that are updated here; Muon needs all
    std::int64_t end = 0;
};

/// @param parameters, gradients  of the whole stage
/// @param states  `stateCount` arrays of end − begin numbers, 0 before the first step; with a
///                correction of the delay the last is the step before
void takeStep(Ops& ops, const OptimizerStep& step, float* parameters, const float* gradients,
              float* states);

} // namespace pw::exec
