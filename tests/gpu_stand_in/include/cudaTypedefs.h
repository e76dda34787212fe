// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cuda.h>

// Types of the driver's functions that are asked for by name.
using PFN_cuDeviceGetDevResource_v12040 = CUresult (*)(CUdevice, CUdevResource*, CUdevResourceType);
using PFN_cuDevSmResourceSplitByCount_v12040 = CUresult (*)(CUdevResource*, unsigned*,
                                                            const CUdevResource*, CUdevResource*,
                                                            unsigned, unsigned);
using PFN_cuDevResourceGenerateDesc_v12040 = CUresult (*)(CUdevResourceDesc*, CUdevResource*,
                                                          unsigned);
using PFN_cuGreenCtxCreate_v12040 = CUresult (*)(CUgreenCtx*, CUdevResourceDesc, CUdevice,
                                                 unsigned);
using PFN_cuGreenCtxDestroy_v12040 = CUresult (*)(CUgreenCtx);
