// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/transport/rank_parts.h"

#include <memory>

namespace pw::exec::cuda {

/// One rank on one GPU of this machine, the others in other processes; results travel by NCCL.
/// Which GPU that is the processes agree on by the GPUs' own numbers, since a launcher may show
/// each process its own one alone.
/// @error BadValue  there is none for a rank
/// @error Fault     of the driver or of NCCL
Result<std::unique_ptr<RankParts>> makeCudaRank(RankRequest& request);

} // namespace pw::exec::cuda
