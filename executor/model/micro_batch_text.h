// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"

#include <cstdint>
#include <vector>

namespace pw::exec {

/// Tokens of a micro-batch's segment and the token after each, in rows as matrices have them.
struct TextRows
{
    std::vector<std::int32_t> tokens;
    std::vector<std::int32_t> targets;
};

/// Number of a micro-batch over the whole run, warm-up counted: its samples follow from it.
std::int64_t microBatchNumber(const RunPlan& plan, int iteration, int microBatch);

/// @param first, count  tokens of a sample
TextRows textRows(const RunPlan& plan, std::int64_t microBatchNumber, int first, int count);

} // namespace pw::exec
