// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"
#include "core/trace/fit.h"

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

} // namespace pw
