// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/rank_device.h"

#include <cstdint>

namespace pw::exec::cuda {

/// Σ x², in doubles: the GPU sums parts that follow from the count alone, the host adds them in
/// their order. Waits for the work on the current stream.
/// @param patience  longest wait
/// @throws DeviceError
double sumOfSquares(RankDevice& device, const float* x, std::int64_t count, Ticks patience);

} // namespace pw::exec::cuda
