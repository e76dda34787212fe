// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "executor/cuda/device_wait.h"

#include <cstddef>
#include <memory>
#include <nccl.h>
#include <span>
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
    /// @throws DeviceError  with NCCL's words; a call under way is not a failure
    void check(const char* call, ncclResult_t result, ncclComm_t comm = nullptr) const;
    /// Waits until what was asked of a communicator that does not block has been done.
    /// @throws DeviceError  it failed, the stop was requested, or it is not done within the limit
    void settle(ncclComm_t comm, const DeviceWait& wait, const char* what) const;
    /// Has the two ranks of a communicator send each other memory, of sizes of their own, as one
    /// call of both: neither waits for the other's receive. What has no bytes does not travel.
    /// @param peer  the other's rank in the communicator
    /// @throws DeviceError
    void swap(std::span<const std::byte> own, std::span<std::byte> theirs, int peer,
              ncclComm_t comm, cudaStream_t stream) const;
    /// What a communicator has reported by itself, or good.
    Result<void> health(ncclComm_t comm) const;
};

/// Calls of NCCL that belong together. An exception between the start and the end would leave the
/// thread in the group, and all later calls without effect: the group ends with the object.
class NcclGroup
{
public:
    /// @throws DeviceError
    explicit NcclGroup(const NcclApi& api)
        : m_api(api)
    {
        api.check("ncclGroupStart", api.groupStart());
    }
    ~NcclGroup()
    {
        if (m_open)
            m_api.groupEnd();
    }
    NcclGroup(const NcclGroup&) = delete;
    NcclGroup& operator=(const NcclGroup&) = delete;

    /// @throws DeviceError  with what the calls of the group had to say
    void end(ncclComm_t comm = nullptr)
    {
        m_open = false;
        m_api.check("ncclGroupEnd", m_api.groupEnd(), comm);
    }

private:
    const NcclApi& m_api;
    bool m_open = true;
};

/// Cuts communicators off: their kernels end, whatever these wait for. All that are added go
/// together when the object does. To cut one off frees its memory, which waits for the device, and
/// so for kernels of a communicator that is still to be cut off: one after the other may hang.
/// NCCL before 2.22 takes them one after the other all the same.
class NcclAborts
{
public:
    explicit NcclAborts(const NcclApi& api) noexcept
        : m_api(api)
        , m_together(api.groupStart() == ncclSuccess)
    {
    }
    ~NcclAborts()
    {
        if (m_together)
            m_api.groupEnd();
    }
    NcclAborts(const NcclAborts&) = delete;
    NcclAborts& operator=(const NcclAborts&) = delete;

    void add(ncclComm_t comm) const noexcept { m_api.commAbort(comm); }

private:
    const NcclApi& m_api;
    bool m_together;
};

/// NCCL, loaded once and kept.
/// @error BadValue  libnccl.so.2 is not there, or lacks a function: in the loader's words
Result<const NcclApi*> loadNccl();

} // namespace pw::exec::cuda
