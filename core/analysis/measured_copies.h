// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"
#include "core/trace/records.h"

#include <span>
#include <vector>

namespace pw {

/// The recorded copies of one iteration as a simulation has them: by device, then in the order of
/// need. A copy that was not recorded in both directions is left out; who waited for one is not
/// known.
///
/// @param base  when the iteration began; becomes 0
std::vector<HostCopy> measuredCopies(const Schedule& schedule, const Costs& costs,
                                     std::span<const RecordedCopy> copies, Ticks base);

} // namespace pw
