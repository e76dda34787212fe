// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/rank_device.h"
#include "executor/model/ops.h"

#include <memory>

namespace pw::exec::cuda {

/// A GPU, or a part of one, as a tensor device. Sums, statistics and softmax are 32-bit floats,
/// whatever the element; the same calls with the same numbers give the same bits. Packets carry a
/// `DevicePayload`.
///
/// @param device   of the rank whose thread makes and uses the device
/// @param patience  longest wait for the device, where the host needs its numbers
/// @throws DeviceError
std::unique_ptr<Ops> makeCudaOps(std::shared_ptr<RankDevice> device, Element element,
                                 Ticks patience);

} // namespace pw::exec::cuda
