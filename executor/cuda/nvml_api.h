// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/gpu_reading.h"
#include "executor/cuda/gpu_seats.h"

#include <optional>

// NVIDIA's management library as it is found when the program runs. Its header is not part of every
// toolkit, so what is used of it is declared in the .cpp, as its manual has it.
namespace pw::exec::cuda {

/// Clocks, power, temperature and what slows a GPU, now; what cannot be had stays unknown. A call
/// takes a fraction of a millisecond, and tens of them the first time.
/// @param gpu  by its own number, since the library does not count as CUDA does
GpuReading readGpu(const GpuIdentity& gpu);

/// Bytes in use on the GPU, by anybody; none where the library is not there. Makes no context.
std::optional<Bytes> usedBytes(const GpuIdentity& gpu);

/// What the library's bits say.
GpuSlowdowns slowdownsOfNvml(unsigned long long reasons);
/// A GPU's number as the library writes it: "GPU-01020304-0506-0708-090a-0b0c0d0e0f10".
std::string identityText(const GpuIdentity& gpu);

} // namespace pw::exec::cuda
