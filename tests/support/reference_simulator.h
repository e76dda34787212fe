// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <optional>

namespace pw::test {

/// What the slow simulator finds.
struct ReferenceResult
{
    std::vector<std::vector<Ticks>> start; ///< by device and entry
    std::vector<std::vector<Ticks>> end;
    std::vector<Share> peakShare; ///< by device
    Ticks makespan = 0;
};

/// A slow, obvious simulator: sweeps over all devices again and again and starts whatever can
/// start, with the dependency rules written down once more from the definitions. Early messages,
/// one link cost per pair.
///
/// @return nothing where a full sweep makes no progress: a deadlock
std::optional<ReferenceResult> referenceSimulate(const PipelineSpec& spec,
                                                 const DeviceOrders& orders, const Costs& costs);

} // namespace pw::test
