// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/backend.h"

#include <memory>

namespace pw::exec::cuda {

/// Training on NVIDIA GPUs: one a rank where there are enough, else each cut into several devices.
///
/// Variables of the environment choose what to compare: PW_CUDA_TRANSPORT=copies|nccl (how results
/// travel; nccl on one GPU sends to itself), PW_CUDA_SPLIT=streams (no green contexts),
/// PW_CUDA_GRAPHS=0 (see `Launches`) and PW_CUDA_RECEIVE=near (see `NcclTransport`).
std::unique_ptr<Backend> makeCudaBackend();

} // namespace pw::exec::cuda
