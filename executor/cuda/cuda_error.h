// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <string>

namespace pw::exec::cuda {

/// "cudaMalloc: out of memory (cudaErrorMemoryAllocation)"
std::string errorText(const char* call, cudaError_t status);

/// @throws DeviceError  where a call failed; `call` is its name
void check(const char* call, cudaError_t status);
void check(const char* call, cublasStatus_t status);

/// Whether a query says "not ready". CUDA keeps that as its last error, which libraries would take
/// for a failure of their own: it is forgotten here.
bool notReady(cudaError_t queried);

/// After launches of kernels.
/// @throws DeviceError  one could not be launched, or the device failed before
void checkLaunch(const char* what);

} // namespace pw::exec::cuda
