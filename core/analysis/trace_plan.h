// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/fit.h"
#include "core/cost/rank_memory.h"
#include "core/io/project_file.h"

#include <optional>
#include <string>

namespace pw {

/// A project that asks what else would have been possible: the order of a trace with the costs that
/// were fitted to it. Where a family makes that very order with these costs, the family stands in
/// the project, so that its parameters can be changed. The notes say how far the costs are to be
/// trusted.
///
/// @param title  empty: the name of the trace's first file
/// @pre          `fitted` was fitted to this pipeline
/// @error        as of `costsOf`
Result<Project> planOf(const Trace& trace, const RecoveredPipeline& pipeline,
                       const FittedCosts& fitted, const std::string& title = {});

/// Puts what the ranks of a trace held into costs, so that its memory can be predicted as a curve:
/// a fixed part, and so much for each micro-batch in flight (`fitRankMemory`).
/// @param costs  of the pipeline's order, which it has
/// @return       what was fitted; nothing where the trace does not tell it
/// @error        as of `simulate`
Result<std::optional<RankMemory>> addMeasuredMemory(Costs& costs,
                                                    const RecoveredPipeline& pipeline);

} // namespace pw
