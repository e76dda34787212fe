// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// What a kernel finds where nvcc compiles it: comes before every .cu file that is translated here.
// A type is declared before CUDA's words become macros.
#include "tests/gpu_stand_in/gpu.h"
#include "tests/gpu_stand_in/tensor_cores.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <cuda_bf16.h>
#include <type_traits>
#include <vector>

#define __CUDACC__ 1
#define __CUDA_ARCH__ 900
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(threads)

#define threadIdx (*pw::gpu::threadNow)
#define blockIdx (pw::gpu::placeNow.block)
#define blockDim (pw::gpu::placeNow.blockDim)
#define gridDim (pw::gpu::placeNow.gridDim)

inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    pw::gpu::meetBlock(file, line);
}

inline float __shfl_xor_sync(unsigned mask, float value, int distance,
                             const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    if (mask != 0xffffffffU)
        pw::gpu::stop("a shuffle whose mask does not name all threads of the warp");
    return std::bit_cast<float>(
        pw::gpu::meetWarp(std::bit_cast<unsigned>(value), distance, file, line));
}
