// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/gpu_stand_in/gpu.h"

#include <cmath>
#include <cstdint>
#include <cuda_bf16.h>

// What executor/cuda/tensor_cores.cuh says to nvcc in PTX, done by threads that show each other
// their registers. Where which element lies is as the PTX ISA has it for `mma.m16n8k16` with .bf16
// ("Matrix Fragments for mma.m16n8k16 with floating point type") and for `ldmatrix`, in its words:
//
//   groupID           = %laneid >> 2
//   threadID_in_group = %laneid % 4
namespace pw::gpu {

/// The lower or upper half of a register.
inline float elementOf(unsigned word, unsigned half)
{
    return __bfloat162float({static_cast<std::uint16_t>(word >> (16U * half))});
}

/// Register and lane that hold an element of a matrix, and which half of the register.
struct FragmentPlace
{
    unsigned lane;
    unsigned word;
    unsigned half;
};

/// A, 16 × 16, .row: row = groupID for ai where 0 <= i < 2 || 4 <= i < 6, groupID + 8 otherwise;
/// col = (threadID_in_group * 2) + (i & 0x1) for ai where i < 4, that + 8 for i >= 4.
inline FragmentPlace placeInA(unsigned row, unsigned column)
{
    const unsigned i = column / 8 * 4 + row / 8 * 2 + column % 2;
    return {row % 8 * 4 + column % 8 / 2, i / 2, i % 2};
}

/// B, 16 × 8, .col: row = (threadID_in_group * 2) + (i & 0x1) for bi where i < 2, that + 8 for
/// i >= 2; col = groupID.
inline FragmentPlace placeInB(unsigned row, unsigned column)
{
    const unsigned i = row / 8 * 2 + row % 2;
    return {column * 4 + row % 8 / 2, i / 2, i % 2};
}

/// `ldmatrix.sync.aligned.m8n8.x4[.trans].shared.b16`: threads 8m to 8m + 7 have the addresses of
/// rows 0 to 7 of matrix m; a thread gets elements threadID_in_group * 2 and the next of row
/// groupID, of the transposed matrix where that is asked for.
inline void loadFourMatrices(unsigned (&matrix)[4], const void* row, bool transposed,
                             const char* file, int line)
{
    const auto own = reinterpret_cast<std::uintptr_t>(row);
    if (own % 16 != 0)
        stop("a row of ldmatrix at an address that 16 does not divide");
    const WarpWords* const shown =
        meetWarp({static_cast<unsigned>(own), static_cast<unsigned>(own >> 32U)}, file, line);
    const unsigned lane = laneOfWarp();
    for (unsigned m = 0; m < 4; ++m) {
        std::uint16_t element[2];
        for (unsigned i = 0; i < 2; ++i) {
            const unsigned down = lane / 4;
            const unsigned along = lane % 4 * 2 + i;
            const WarpWords& words = shown[8 * m + (transposed ? along : down)];
            const auto* const from = reinterpret_cast<const std::uint16_t*>(
                std::uintptr_t{words[0]} | std::uintptr_t{words[1]} << 32U);
            element[i] = from[transposed ? down : along];
        }
        matrix[m] = element[0] | unsigned{element[1]} << 16U;
    }
}

/// `mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32`. C and D, 16 × 8: row = groupID for ci
/// where i < 2, groupID + 8 for i >= 2; col = (threadID_in_group * 2) + (i & 0x1).
inline void multiplySixteen(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1,
                            const char* file, int line)
{
    const WarpWords* const shown = meetWarp({a[0], a[1], a[2], a[3], b0, b1}, file, line);
    const unsigned lane = laneOfWarp();
    float rows[2][16]; // of A, that the thread's own elements of D need
    float columns[2][16];
    for (unsigned i = 0; i < 2; ++i) {
        for (unsigned k = 0; k < 16; ++k) {
            const FragmentPlace left = placeInA(lane / 4 + 8 * i, k);
            const FragmentPlace right = placeInB(k, lane % 4 * 2 + i);
            rows[i][k] = elementOf(shown[left.lane][left.word], left.half);
            columns[i][k] = elementOf(shown[right.lane][4 + right.word], right.half);
        }
    }
    for (unsigned i = 0; i < 4; ++i) {
        float products = 0;
        for (unsigned k = 0; k < 16; ++k)
            products += rows[i / 2][k] * columns[i % 2][k];
        sum[i] += products;
    }
}

} // namespace pw::gpu

namespace pw::exec::cuda {

inline void loadMatrices(unsigned (&matrix)[4], const __nv_bfloat16* row,
                         const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    pw::gpu::loadFourMatrices(matrix, row, false, file, line);
}

inline void loadTransposed(unsigned (&matrix)[4], const __nv_bfloat16* row,
                           const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    pw::gpu::loadFourMatrices(matrix, row, true, file, line);
}

inline void multiplyMatrices(float (&sum)[4], const unsigned (&left)[4], unsigned above,
                             unsigned below, const char* file = __builtin_FILE(),
                             int line = __builtin_LINE())
{
    pw::gpu::multiplySixteen(sum, left, above, below, file, line);
}

inline unsigned packHalves(float first, float second)
{
    return __float2bfloat16_rn(first).bits | unsigned{__float2bfloat16_rn(second).bits} << 16U;
}

inline float powerOfTwo(float exponent)
{
    return std::exp2(exponent);
}

inline void beginCopy(__nv_bfloat16* shared, const __nv_bfloat16* from, bool whole)
{
    pw::gpu::beginCopy(shared, from, 16, whole);
}

inline void beginCopy(float* shared, const float* from, bool whole)
{
    pw::gpu::beginCopy(shared, from, 4, whole);
}

inline void awaitCopies()
{
    pw::gpu::awaitCopies();
}

} // namespace pw::exec::cuda
