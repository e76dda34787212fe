// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"

#include <span>
#include <string>
#include <string_view>

namespace pw {

/// Checks that every cell is one of the spec, on its route, and that the link can be one.
///
/// @error BadValue  names the cell or the value, and the limit
/// @error TooLarge  copies that take so long that their sum leaves 64 bits
Result<void> check(const Offload& offload, std::span<const ActivationCost> activation,
                   const PipelineSpec& spec);

/// Sorted, each cell once, as F passes on the route that their micro-batch takes; what the spec
/// does not have is left out.
std::vector<Pass> offloadedCells(std::vector<Pass> cells, const PipelineSpec& spec);

/// Time of one copy of `bytes` between a device and its host, in one direction.
Ticks hostCopyTime(const Offload& offload, Bytes bytes);

/// For whoever knows nothing of copies to the host: an error where cells are offloaded.
///
/// @param what  begins the sentence: "the executor keeps every activation on its device"
Result<void> refuseOffload(const Costs& costs, const PipelineSpec& spec, std::string_view what);

} // namespace pw
