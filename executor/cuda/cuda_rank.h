// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/transport/rank_parts.h"

#include <memory>

namespace pw::exec::cuda {

/// One rank on one GPU of this machine, the others in other processes; results travel by NCCL.
/// @error BadValue  this machine has no such GPU
/// @error Fault     of the driver or of NCCL
Result<std::unique_ptr<RankParts>> makeCudaRank(RankRequest& request);

} // namespace pw::exec::cuda
