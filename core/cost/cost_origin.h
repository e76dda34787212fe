// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/engine_memory.h"
#include "core/cost/language_model.h"

#include <cstdint>
#include <string>

namespace pw {

/// Where the full recompute of a model happens.
enum class RecomputeIn : std::uint8_t
{
    Backward, ///< layer by layer inside B and BW, for orders without R passes
    Passes    ///< in R passes, a stage at a time, for orders that have them
};

/// What tables of costs were made from: a model, a machine and how the layers are split. The costs
/// are those of `core/cost/origin_costs.h`.
struct CostOrigin
{
    LanguageModel model;
    std::string hardware = "a100"; ///< name of an accelerator
    std::string split = "even";    ///< as `parseSplit` reads it
    RecomputeIn recomputeIn = RecomputeIn::Backward;
    EngineMemory engine{}; ///< what the engine holds beside the mathematics

    friend bool operator==(const CostOrigin&, const CostOrigin&) = default;
};

/// Tokens of one micro-batch.
std::int64_t tokensOfMicroBatch(const LanguageModel& model);

/// "gpt-22b (48 layers, even split) on NVIDIA A100 SXM 80 GB, micro-batch of 4 × 2048 tokens"
std::string text(const CostOrigin& origin);

} // namespace pw
