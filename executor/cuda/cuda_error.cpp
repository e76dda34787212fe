// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_error.h"

#include "executor/model/ops.h"

namespace pw::exec::cuda {

std::string errorText(const char* call, cudaError_t status)
{
    return std::string(call) + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) +
           ")";
}

void check(const char* call, cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    cudaGetLastError(); // told once; an error that lasts comes back with the next call
    throw DeviceError(errorText(call, status));
}

void check(const char* call, cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw DeviceError(std::string(call) + ": " + cublasGetStatusString(status));
}

bool notReady(cudaError_t queried)
{
    if (queried != cudaErrorNotReady)
        return false;
    cudaGetLastError();
    return true;
}

void checkLaunch(const char* what)
{
    check(what, cudaGetLastError());
}

} // namespace pw::exec::cuda
