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

/// Where recorded times come from, in words.
struct FitSource
{
    std::string name;     ///< a file, a run
    std::string hardware; ///< what they were recorded on, or by
};

/// Fits costs to a pipeline: a spread of times for every kind of pass, stage and segment over the
/// iterations that count; and the time of a message, from the end of a pass to the start of one
/// that waited for it on another rank, in the iteration shown. What lies between passes, and what
/// the first and the last pass of a device take beyond others, count where the order itself is
/// predicted better so. Bytes are not known.
///
/// A kind that was recorded on some stages only is completed on the others: BW takes B and W, of a
/// BW alone B and W take as large parts as elsewhere, R takes F, and a pair F and BW; such times
/// are of a count of 0.
///
/// @error BadValue  there is no complete order, or a stage without a time
Result<FittedCosts> fitCosts(const RecoveredPipeline& pipeline, const FitSource& source);

/// What the file of a trace is called, of the first one; a kept trace has none.
std::string fileNameOf(const Trace& trace);

/// The same for the pipeline of a trace.
Result<FittedCosts> fitTrace(const Trace& trace, const RecoveredPipeline& pipeline);

} // namespace pw
