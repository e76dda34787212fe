// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"

#include <map>

namespace pw::exec::cuda {

/// Blocks of the host's memory that a rank needs for what its plan offloads, by size: as many as
/// are in use at a time, and two that wait until a copy back has read them. Pure book keeping: no
/// CUDA in here.
std::map<Bytes, int> hostBlocks(const RunPlan& plan, RankId rank);

} // namespace pw::exec::cuda
