// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/device_activity.h"
#include "core/trace/trace.h"

namespace pw {

/// Finds how long ranks wait for each other in communication, and the rank that they wait for.
///
/// Kernels of one name that all ranks run equally often, none of them a send or a receive, are one
/// collective each, in the order of their starts. Whoever begins a collective last keeps the others
/// waiting until then. Two kernels that do not run at the same time are of no collective; where
/// more than one in ten are so, clocks differ or the ranks belong to different groups, and nothing
/// is said. Sends and receives count as `pairMessages` splits them. Where no communication tells
/// it, the rank whose compute is longest is named if it is a twentieth above the median.
///
/// @param figures  with its devices; gets `peer` and `slow`
void findLateRanks(const Trace& trace, DeviceFigures& figures);

} // namespace pw
