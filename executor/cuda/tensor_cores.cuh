// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cuda_bf16.h>

// Instructions that a whole warp executes together, for GPUs of compute capability 8.0 or higher:
// products of small matrices of 16-bit numbers, their way from shared memory into registers, and
// copies into shared memory that a thread does not wait for. Where another compiler than nvcc
// builds the kernels, what stands in for the GPU has given these words already.
//
// Lane l of a warp has, of matrices that the warp holds together, row l ÷ 4 and the columns
// 2 (l mod 4) and 2 (l mod 4) + 1, of a matrix of 8 × 8; larger ones are made of these.
//
// @source PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions"; "cp.async"
namespace pw::exec::cuda {

#if defined(__NVCC__)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define PW_TENSOR_CORES 1
#endif

/// Loads four matrices of 8 × 8 numbers from shared memory.
/// @param row  lane l's is row l mod 8 of matrix l ÷ 8; 16 divides it
__device__ inline void loadMatrices(unsigned (&matrix)[4], const __nv_bfloat16* row)
{
#if defined(PW_TENSOR_CORES)
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3])
                 : "r"(at));
#else
    __trap();
#endif
}

/// The same, each matrix transposed.
__device__ inline void loadTransposed(unsigned (&matrix)[4], const __nv_bfloat16* row)
{
#if defined(PW_TENSOR_CORES)
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3])
                 : "r"(at));
#else
    __trap();
#endif
}

/// sum (16 × 8) += left (16 × 16) · right (16 × 8), added in 32 bits.
///
/// @param sum    upper half, lower half: two numbers each
/// @param left   the matrices above left, below left, above right, below right
/// @param above  rows 0 to 7 of the right factor, transposed
/// @param below  rows 8 to 15, transposed
__device__ inline void multiplyMatrices(float (&sum)[4], const unsigned (&left)[4], unsigned above,
                                        unsigned below)
{
#if defined(PW_TENSOR_CORES)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(above), "r"(below));
#else
    __trap();
#endif
}

/// Two numbers rounded to 16 bits, the first in the lower half.
__device__ inline unsigned packHalves(float first, float second)
{
#if defined(PW_TENSOR_CORES)
    unsigned packed;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(second), "f"(first));
    return packed;
#else
    __trap();
    return 0;
#endif
}

/// 2 to a power, to 22 bits; 0 where it is too small for a number of full precision.
__device__ inline float powerOfTwo(float exponent)
{
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
    return power;
}

/// Begins to copy 16 bytes into shared memory.
/// @param whole  else nothing is read, and the bytes become 0
__device__ inline void beginCopy(__nv_bfloat16* shared, const __nv_bfloat16* from, bool whole)
{
#if defined(PW_TENSOR_CORES)
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(to), "l"(__cvta_generic_to_global(from)), "r"(whole ? 16 : 0)
                 : "memory");
#else
    __trap();
#endif
}

/// The same of one float, at an address that 4 divides.
__device__ inline void beginCopy(float* shared, const float* from, bool whole)
{
#if defined(PW_TENSOR_CORES)
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :
                 : "r"(to), "l"(__cvta_generic_to_global(from)), "r"(whole ? 4 : 0)
                 : "memory");
#else
    __trap();
#endif
}

/// Waits for the copies that this thread has begun.
__device__ inline void awaitCopies()
{
#if defined(PW_TENSOR_CORES)
    asm volatile("cp.async.wait_all;" : : : "memory");
#else
    __trap();
#endif
}

#endif

} // namespace pw::exec::cuda
