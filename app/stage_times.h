// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/model/costs.h"
#include "core/model/longest_pass.h"

#include <string_view>
#include <vector>

namespace pw::app {

/// Measured times of one stage, for a whole micro-batch.
struct StageTimes
{
    Ticks forward = 0;
    Ticks backward = 0;
    Ticks weight = 0;

    friend bool operator==(const StageTimes&, const StageTimes&) = default;
};

/// Reads times from CSV text: the heading `stage,forward,backward,weight`, then a line a stage in
/// any order, times in milliseconds. Empty lines and lines that begin with # are skipped.
///
/// @return          by stage, 0 … S−1
/// @error Syntax    with the line: a wrong heading or number of cells, a cell that is not a time, a
/// stage twice or left out
Result<std::vector<StageTimes>> readStageTimes(std::string_view csv);

/// Puts the times of the stages in the place of a costs' own; each segment takes its part of them.
///
/// @error BadValue  the number of stages is another one
Result<void> applyStageTimes(Costs& costs, const PipelineSpec& spec,
                             const std::vector<StageTimes>& times);

} // namespace pw::app
