// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"
#include "core/search/v_schedule.h"

namespace pw {

/// The problem of one step of a spec with a V placement and one segment: table times, and the time
/// of each message over a link that nothing slows down.
VProblem vProblemOf(const PipelineSpec& spec, const Costs& costs);

/// The order as entries of a schedule, one list a device.
DeviceOrders vDeviceOrders(const VOrder& order);

/// The block as it is drawn and checked: unit passes, W in the first free slots.
BuildingBlock vDrawnBlock(const VBlock& block);

} // namespace pw
