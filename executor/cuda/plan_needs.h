// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/cuda/rank_device.h"

#include <vector>

namespace pw::exec::cuda {

/// The most bytes that each rank is expected to hold at a time.
std::vector<Bytes> predictedBytes(const RunPlan& plan);

/// The same with what a rank exchanges with other copies of its stages at a time: less it cannot do
/// with.
std::vector<Bytes> neededBytes(const RunPlan& plan);

/// How long the ranks of a plan wait for each other, and for their devices.
Ticks patienceOf(const RunPlan& plan);

/// Bytes of the activation or gradient of every message of the plan's program.
/// @throws DeviceError  the plan's segments do not fit its model
std::vector<Bytes> messageBytes(const RunPlan& plan);

/// Takes the memory that a rank will need from the driver, and a few blocks for its messages and
/// for what it exchanges with other copies of its stages.
///
/// @param most  bytes at most; 0: as much as is predicted
void reserveFor(const RunPlan& plan, RankId rank, Bytes most, RankMemory& memory);

/// The same of the host's memory, for what the plan offloads; nothing where it offloads nothing.
/// @throws DeviceError
void reserveHost(const RunPlan& plan, RankId rank, RankDevice& device);

} // namespace pw::exec::cuda
