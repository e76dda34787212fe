// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/blas.h"
#include "executor/cuda/rank_device.h"
#include "executor/model/ops.h"

#include <memory>

namespace pw::exec::cuda {

/// A GPU, or a part of one, as a tensor device. Sums, statistics and softmax are 32-bit floats,
/// whatever the element; the same calls with the same numbers give the same bits. Packets carry a
/// `DevicePayload`.
///
/// @param device   of the rank whose thread makes and uses the device
/// Everything that the driver is asked for, libraries and their first kernels too, is done when
/// this returns: what waits for the whole device must not come while ranks wait for each other.
///
/// @param patience  becomes the device's: longest wait where the host needs numbers
/// @param products  of 32-bit floats
/// @throws DeviceError
std::unique_ptr<Ops> makeCudaOps(std::shared_ptr<RankDevice> device, Element element,
                                 Ticks patience, Products products = Products::Full);

} // namespace pw::exec::cuda
