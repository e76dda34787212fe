// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"

#include <string>

namespace pw {

/// Costs of one shape for another one, and how they came there.
struct CarriedCosts
{
    Costs costs;
    /// What was assumed, sentences; empty where every number is as it was.
    std::string how;
};

/// Carries costs over to another number of stages, segments or devices of the same model.
///
/// Stages that become fewer are put together, several neighbours as one: times and bytes add up.
/// Stages that become more are cut into equal parts. Segments of one whole are cut by their
/// lengths, and put together to one whole. All sums stay exact. A message takes what it took,
/// whatever is cut; its bytes are those of the boundary, or the segment's part of them.
///
/// @error BadValue  neither number of stages divides the other; segments that are neither the same
///                  nor one whole; links, caps or single passes that only the old shape has
Result<CarriedCosts> carryCosts(const Costs& costs, const PipelineSpec& from,
                                const PipelineSpec& to);

} // namespace pw
