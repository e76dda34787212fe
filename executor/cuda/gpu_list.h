// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_sink.h"
#include "executor/cuda/gpu_seats.h"

#include <string>
#include <vector>

namespace pw::exec::cuda {

/// The GPUs of this machine that this build has kernels for.
struct GpuList
{
    std::vector<int> numbers; ///< as the driver counts them
    std::vector<RunDevice> devices;
    std::vector<std::string> refused; ///< why others are left out, a sentence each
    std::string missing;              ///< where there is none: what keeps it
};

/// Looks for GPUs. Never throws; makes no context on any.
GpuList findGpus();

/// A GPU in words: name, compute capability, multiprocessors; and its memory.
/// @throws DeviceError
RunDevice describeGpu(int gpu);

/// A GPU's own number, the same in every process that sees it; zeros where the driver has none.
/// @throws DeviceError
GpuIdentity identityOf(int gpu);

/// Bytes that nobody has of a GPU's memory, which becomes the thread's current one.
/// @throws DeviceError
Bytes freeBytes(int gpu);

/// Versions of driver, runtime and NCCL, in words.
std::string librariesText();

} // namespace pw::exec::cuda
