// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// What of cuBLAS executor/cuda uses.
#include <cuda_runtime_api.h>

struct cublasContext;
using cublasHandle_t = cublasContext*;

enum cublasStatus_t
{
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_NOT_SUPPORTED = 15
};

enum cublasOperation_t
{
    CUBLAS_OP_N,
    CUBLAS_OP_T
};

enum cublasMath_t
{
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};

enum cublasComputeType_t
{
    CUBLAS_COMPUTE_32F = 68
};

enum cublasGemmAlgo_t
{
    CUBLAS_GEMM_DEFAULT = -1
};

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int multiprocessors);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType typeA, int lda, const void* b, cudaDataType typeB, int ldb,
                            const void* beta, void* c, cudaDataType typeC, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType typeA, int lda, long long strideA, const void* b,
    cudaDataType typeB, int ldb, long long strideB, const void* beta, void* c, cudaDataType typeC,
    int ldc, long long strideC, int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
}
