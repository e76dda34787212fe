// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/costs_file.h"
#include "core/trace/recover.h"

namespace pw {

/// Costs from a trace, and how well they explain it.
struct FittedCosts
{
    CostsFile file;
    Ticks measured = 0;  ///< makespan of the iteration shown
    Ticks predicted = 0; ///< of the same order with these costs: their difference is the measure of
                         ///< trust in what else is predicted with them

    /// By how much of it the prediction is longer: 0.02 for 2 %.
    double residual() const
    {
        return measured == 0
                   ? 0
                   : static_cast<double>(predicted - measured) / static_cast<double>(measured);
    }
};

/// Fits costs to a pipeline: a spread of times for every kind of pass, stage and segment over the
/// iterations that count; and the time of a message, from the end of a pass to the start of one
/// that waited for it on another rank, in the iteration shown. Bytes are not known.
///
/// @error BadValue  there is no complete order, or a stage without a time
Result<FittedCosts> fitTrace(const Trace& trace, const RecoveredPipeline& pipeline);

} // namespace pw
