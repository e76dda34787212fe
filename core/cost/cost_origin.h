// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/stage_costs.h"

#include <string>

namespace pw {

/// What tables of costs were made from: a model, a machine and how the layers are split.
struct CostOrigin
{
    TransformerModel model;
    std::string hardware = "a100"; ///< name of a preset
    std::string split = "even";    ///< as `parseSplit` reads it
    RecomputeIn recomputeIn = RecomputeIn::Backward;

    friend bool operator==(const CostOrigin&, const CostOrigin&) = default;
};

/// The costs of a spec from where they come from.
/// @error BadValue, TooLarge  of the hardware's name, the split, or as the costs of a model
Result<Costs> costsOf(const CostOrigin& origin, const PipelineSpec& spec);

/// Tokens of one micro-batch.
std::int64_t tokensOfMicroBatch(const TransformerModel& model);

/// "gpt-22b (48 layers, even split) on NVIDIA A100 SXM 80 GB, micro-batch of 4 × 2048 tokens"
std::string text(const CostOrigin& origin);

} // namespace pw
