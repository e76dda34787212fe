// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/backend.h"
#include "executor/api/run_plan.h"

#include <functional>
#include <vector>

namespace pw::exec {

/// Bytes that each device of a schedule holds at most when a model is trained with it, by the
/// executor's own account, without workspace.
/// @error  as of `setBytes`, `simulate`
Result<std::vector<Bytes>> trainedBytes(const Schedule& schedule, const GptModel& model,
                                        const LayerSplit& split, const Optimizer& optimizer);

/// What `fittingModel` may choose.
struct FitRequest
{
    GptModel model;              ///< what is not chosen
    bool choosesHidden = true;   ///< the width; else the number of layers grows
    bool choosesHeads = true;    ///< one for every 128 of the width
    bool choosesLayers = true;   ///< 16, or a few more: a multiple of the stages
    bool choosesSequence = true; ///< as long as the width, 2048 at most
    Optimizer optimizer;
    std::vector<MemoryPool> pools; ///< of all devices of the schedule, in their order
    double part = 0.8;             ///< of a pool that may be taken
    /// How so many layers go to the stages; empty: evenly.
    std::function<Result<LayerSplit>(int layers)> split{};
};

/// The largest model, in steps of 128 of the width or of a layer a stage, whose bytes stay within
/// the asked part of every pool.
///
/// @error BadValue     nothing is left to choose: both the width and the layers are given
/// @error MemoryLimit  not even the smallest fits: says what it needs, and what there is
Result<GptModel> fittingModel(const Schedule& schedule, const FitRequest& request);

} // namespace pw::exec
