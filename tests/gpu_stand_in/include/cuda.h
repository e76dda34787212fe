// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// What of the driver executor/cuda uses: green contexts.
#include <cuda_runtime_api.h>

enum CUresult
{
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 914
};

enum CUdevResourceType
{
    CU_DEV_RESOURCE_TYPE_SM = 1
};

constexpr unsigned CU_GREEN_CTX_DEFAULT_STREAM = 1;
constexpr unsigned CU_STREAM_NON_BLOCKING = 1;

using CUdevice = int;
using CUstream = cudaStream_t;
struct CUgreenCtx_st;
using CUgreenCtx = CUgreenCtx_st*;
struct CUdevResourceDesc_st;
using CUdevResourceDesc = CUdevResourceDesc_st*;

struct CUdevSmResource
{
    unsigned smCount;
    unsigned minSmPartitionSize;
    unsigned smCoscheduledAlignment;
};

struct CUdevResource
{
    CUdevResourceType type;
    CUdevSmResource sm;
    unsigned group; ///< the stand-in's own: which part of a split it is; 0: the whole
};
