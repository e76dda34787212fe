// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/graphs.h"
#include "tests/gpu_stand_in/machine.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <vector>

// cuBLAS as far as it is used: products of matrices that lie column after column.
struct cublasContext
{
    int device = 0;
    cudaStream_t stream = nullptr;
    unsigned math = CUBLAS_DEFAULT_MATH;
    std::size_t workspace = 0;
};

namespace pw::gpu {

namespace {

/// A matrix of several that lie `next` elements apart.
struct Operand
{
    const void* data;
    cudaDataType type;
    std::int64_t leading; ///< elements from one column to the next
    std::int64_t next;
    bool transposed;
};

/// What a product is made of: m × n, summed over k.
struct Call
{
    Operand a;
    Operand b;
    void* out;
    cudaDataType type;
    std::int64_t leading;
    std::int64_t next;
    int m;
    int n;
    int k;
    int count;
    float alpha;
    float beta;
    bool tf32;
};

float roundedToTf32(float number)
{
    constexpr std::uint32_t half = 0x1000;
    constexpr std::uint32_t kept = 0xffffe000;
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(number) + half) & kept);
}

float numberOf(const Operand& from, std::int64_t at, bool tf32)
{
    if (from.type == CUDA_R_16BF)
        return __bfloat162float(static_cast<const __nv_bfloat16*>(from.data)[at]);
    const float number = static_cast<const float*>(from.data)[at];
    return tf32 ? roundedToTf32(number) : number;
}

/// Numbers in the order in which a product takes them: of one step of its sums after the other.
std::vector<float> packed(const Operand& from, std::int64_t first, int rows, int inner, bool tf32)
{
    std::vector<float> numbers(static_cast<std::size_t>(rows) * static_cast<std::size_t>(inner));
    std::size_t to = 0;
    for (std::int64_t i = 0; i < inner; ++i) {
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t at =
                from.transposed ? row * from.leading + i : i * from.leading + row;
            numbers[to++] = numberOf(from, first + at, tf32);
        }
    }
    return numbers;
}

void multiplyOne(const Call& call, int which)
{
    // b is asked for by its columns, which are rows of its transpose.
    Operand right = call.b;
    right.transposed = !right.transposed;
    const std::vector<float> a = packed(call.a, which * call.a.next, call.m, call.k, call.tf32);
    const std::vector<float> b = packed(right, which * right.next, call.n, call.k, call.tf32);
    std::vector<float> sums(static_cast<std::size_t>(call.m));
    for (int j = 0; j < call.n; ++j) {
        std::fill(sums.begin(), sums.end(), 0.0F);
        for (int p = 0; p < call.k; ++p) {
            const float factor = b[static_cast<std::size_t>(p) * static_cast<std::size_t>(call.n) +
                                   static_cast<std::size_t>(j)];
            const float* const x = a.data() + std::int64_t{p} * call.m;
            for (int i = 0; i < call.m; ++i)
                sums[static_cast<std::size_t>(i)] += x[i] * factor;
        }
        for (int i = 0; i < call.m; ++i) {
            const float sum = sums[static_cast<std::size_t>(i)] * call.alpha;
            const std::int64_t at = which * call.next + i + std::int64_t{j} * call.leading;
            if (call.type == CUDA_R_32F) {
                float& to = static_cast<float*>(call.out)[at];
                to = call.beta == 0 ? sum : sum + call.beta * to;
            } else {
                __nv_bfloat16& to = static_cast<__nv_bfloat16*>(call.out)[at];
                to = __float2bfloat16_rn(call.beta == 0 ? sum
                                                        : sum + call.beta * __bfloat162float(to));
            }
        }
    }
}

bool takes(const Call& call)
{
    return call.m >= 0 && call.n >= 0 && call.k >= 0 && call.count >= 0 &&
           call.a.leading >= (call.a.transposed ? call.k : call.m) &&
           call.b.leading >= (call.b.transposed ? call.n : call.k) && call.leading >= call.m &&
           call.a.type == call.b.type;
}

} // namespace

} // namespace pw::gpu

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle)
{
    if (pw::gpu::refusedInCapture("cublasCreate") != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    *handle = new cublasContext{pw::gpu::currentDevice()};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    pw::gpu::awaitDevice(handle->device, "cublasDestroy");
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    handle->workspace = 0; // the library's own again
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes)
{
    if (pw::gpu::Machine::one().ownerOf(workspace, bytes, "cublasSetWorkspace") != handle->device)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->workspace = bytes;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    handle->math = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t, int multiprocessors)
{
    return multiprocessors >= 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

const char* cublasGetStatusString(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS:
        return "the library said success";
    case CUBLAS_STATUS_INVALID_VALUE:
        return "an invalid value";
    case CUBLAS_STATUS_EXECUTION_FAILED:
        return "the execution failed";
    case CUBLAS_STATUS_NOT_SUPPORTED:
        return "not supported";
    }
    return "an unknown status";
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType typeA, int lda, long long strideA, const void* b,
    cudaDataType typeB, int ldb, long long strideB, const void* beta, void* c, cudaDataType typeC,
    int ldc, long long strideC, int count, cublasComputeType_t, cublasGemmAlgo_t)
{
    using namespace pw::gpu;
    constexpr unsigned modes = 15;
    const Call call{{a, typeA, lda, strideA, ofA == CUBLAS_OP_T},
                    {b, typeB, ldb, strideB, ofB == CUBLAS_OP_T},
                    c,
                    typeC,
                    ldc,
                    strideC,
                    m,
                    n,
                    k,
                    count,
                    *static_cast<const float*>(alpha),
                    *static_cast<const float*>(beta),
                    (handle->math & modes) == CUBLAS_TF32_TENSOR_OP_MATH};
    if (!takes(call))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (handle->device != currentDevice())
        return CUBLAS_STATUS_EXECUTION_FAILED;
    // It would ask the driver for memory.
    if (handle->workspace == 0 && refusedInCapture("a product without a workspace") != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const cudaError_t given = enqueue(handle->stream, {"a product", {}, [call] {
                                                           for (int i = 0; i < call.count; ++i)
                                                               multiplyOne(call, i);
                                                       }});
    return given == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType typeA, int lda, const void* b, cudaDataType typeB, int ldb,
                            const void* beta, void* c, cudaDataType typeC, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx(handle, ofA, ofB, m, n, k, alpha, a, typeA, lda, 0, b, typeB,
                                      ldb, 0, beta, c, typeC, ldc, 0, 1, compute, algorithm);
}

} // extern "C"
