// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/gpu_stand_in/gpu.h"

#include <cstdint>

namespace pw::gpu {

/// Has the library that tells of kernels hear of a call that gives a stream something to do, and of
/// when that runs, where somebody asked for it. By the thread that calls.
void tellOf(Work& work);
/// The two halves of it, for work that a later call gives a stream: a call of the thread that
/// calls, which has a number, 0 where nobody asked; and when its work runs.
std::uint32_t callOfThread();
void tellOf(Work& work, std::uint32_t call);

} // namespace pw::gpu
