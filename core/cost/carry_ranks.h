// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/carry_costs.h"

namespace pw {

/// Carries costs of one stage a device over to several stages a device, as trainers divide a model
/// anew: every device gets as many layers as it had, of other places in the model.
///
/// A layer takes a device what it took it before: the device keeps its own speed. The last stage
/// has the head and the loss beside its layers: what it takes beyond the median of the stages
/// between first and last stays with the last stage, and the rest of it is that median. Times that
/// are the same for all stages come out as of `carryCosts`, and so do bytes and messages.
///
/// @param carried  as of `carryCosts(costs, from, to)`; its times and its text are changed where
///                 the shapes are such ones
void carryRanks(const Costs& costs, const PipelineSpec& from, const PipelineSpec& to,
                CarriedCosts& carried);

} // namespace pw
