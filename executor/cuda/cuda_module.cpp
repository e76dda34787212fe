// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/module.h"
#include "executor/cuda/cuda_backend.h"

#include <cstdlib>

/// What the program looks for in the module: see `BackendFactory`.
extern "C" __attribute__((visibility("default"))) pw::exec::Backend* pw_cuda_backend(int abi)
{
    if (abi != pw::exec::moduleAbi)
        return nullptr;
    // Ranks that share a GPU have more streams than the 8 connections that CUDA opens by itself;
    // streams that share one wait for each other. It is read when CUDA starts, so it is set here.
    constexpr int keepGiven = 0;
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", keepGiven);
    return pw::exec::cuda::makeCudaBackend().release();
}
