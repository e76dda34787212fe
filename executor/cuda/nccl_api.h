// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"

#include <memory>
#include <nccl.h>
#include <string>

namespace pw::exec::cuda {

/// NCCL as it is found when the program runs; one GPU does without it.
struct NcclApi
{
    decltype(&ncclGetVersion) getVersion = nullptr;
    decltype(&ncclGetErrorString) getErrorString = nullptr;
    decltype(&ncclGetLastError) getLastError = nullptr;
    decltype(&ncclGetUniqueId) getUniqueId = nullptr;
    decltype(&ncclCommInitRankConfig) commInitRankConfig = nullptr;
    decltype(&ncclCommFinalize) commFinalize = nullptr;
    decltype(&ncclCommDestroy) commDestroy = nullptr;
    decltype(&ncclCommAbort) commAbort = nullptr;
    decltype(&ncclCommGetAsyncError) commGetAsyncError = nullptr;
    decltype(&ncclGroupStart) groupStart = nullptr;
    decltype(&ncclGroupEnd) groupEnd = nullptr;
    decltype(&ncclSend) send = nullptr;
    decltype(&ncclRecv) recv = nullptr;
    decltype(&ncclAllReduce) allReduce = nullptr;

    /// "2.28.9"
    std::string version() const;
    /// @throws DeviceError  with NCCL's words; a call under way is no failure
    void check(const char* call, ncclResult_t result, ncclComm_t comm = nullptr) const;
    /// Waits until what was asked of a communicator that does not block has been done.
    /// @throws DeviceError  it failed, or is not done within the limit
    void settle(ncclComm_t comm, Ticks limit, const char* what) const;
};

/// NCCL, loaded once and kept.
/// @error BadValue  libnccl.so.2 is not there, or lacks a function: in the loader's words
Result<const NcclApi*> loadNccl();

} // namespace pw::exec::cuda
