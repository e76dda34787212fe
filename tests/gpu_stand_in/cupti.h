// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/gpu_stand_in/gpu.h"

namespace pw::gpu {

/// Has the library that tells of kernels hear of a call that gives a stream something to do, and of
/// when that runs, where somebody asked for it. By the thread that calls.
void tellOf(Work& work);

} // namespace pw::gpu
