// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/order_language.h"
#include "core/model/schedule.h"

namespace pw::families {

/// The orders of one step that the rules of `when ready` make.
///
/// Passes start in the order of time: a device that is free takes the first of its rules for which
/// a pass of the kind is ready and the condition holds. Of several passes it takes the one of the
/// smallest key; of the same key, the earliest micro-batch, then the latest chunk, then the first
/// segment of a forward and the last of a backward. F, B and W take 1 unit of time and BW takes 2,
/// where a rule says nothing else; messages take none.
///
/// @param run       of the program, with what it knows of the shape
/// @error BadValue  of an expression, with its line; or nothing goes on, with a device, a pass that
///                  is ready there, and the line
/// @error           as of `OrderRun`
Result<DeviceOrders> readyOrders(const PipelineSpec& spec, const OrderProgram& program,
                                 OrderRun& run);

} // namespace pw::families
