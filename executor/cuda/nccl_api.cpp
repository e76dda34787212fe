// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_api.h"

#include "executor/cuda/find_function.h"
#include "executor/model/ops.h"

#include <dlfcn.h>

namespace pw::exec::cuda {

namespace {

/// The first that version 2.28 of the header may be used with.
constexpr int leastVersion = NCCL_VERSION(2, 18, 0);

Result<NcclApi> open()
{
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* why = dlerror();
        return fail(ErrorCode::BadValue, "NCCL does not load: %1",
                    (why == nullptr ? "no reason given" : why));
    }
    NcclApi api;
    const bool complete = findFunction(library, "ncclGetVersion", api.getVersion) &&
                          findFunction(library, "ncclGetErrorString", api.getErrorString) &&
                          findFunction(library, "ncclGetLastError", api.getLastError) &&
                          findFunction(library, "ncclGetUniqueId", api.getUniqueId) &&
                          findFunction(library, "ncclCommInitRankConfig", api.commInitRankConfig) &&
                          findFunction(library, "ncclCommFinalize", api.commFinalize) &&
                          findFunction(library, "ncclCommDestroy", api.commDestroy) &&
                          findFunction(library, "ncclCommAbort", api.commAbort) &&
                          findFunction(library, "ncclCommGetAsyncError", api.commGetAsyncError) &&
                          findFunction(library, "ncclGroupStart", api.groupStart) &&
                          findFunction(library, "ncclGroupEnd", api.groupEnd) &&
                          findFunction(library, "ncclSend", api.send) &&
                          findFunction(library, "ncclRecv", api.recv) &&
                          findFunction(library, "ncclAllReduce", api.allReduce);
    int version = 0;
    if (!complete || api.getVersion(&version) != ncclSuccess || version < leastVersion)
        return fail(ErrorCode::BadValue, "NCCL is older than 2.18");
    return api;
}

} // namespace

std::string NcclApi::version() const
{
    int number = 0;
    getVersion(&number);
    return std::to_string(number / 10'000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
}

void NcclApi::check(const char* call, ncclResult_t result, ncclComm_t comm) const
{
    if (result == ncclSuccess || result == ncclInProgress)
        return;
    const char* more = getLastError(comm);
    throw DeviceError(std::string(call) + ": " + getErrorString(result) +
                      (more == nullptr || *more == '\0' ? "" : std::string("; ") + more));
}

void NcclApi::settle(ncclComm_t comm, const DeviceWait& wait, const char* what) const
{
    pollUntil(
        [&] {
            ncclResult_t state = ncclSuccess;
            check("ncclCommGetAsyncError", commGetAsyncError(comm, &state), comm);
            check(what, state, comm);
            return state != ncclInProgress;
        },
        wait, what);
}

void NcclApi::swap(std::span<const std::byte> own, std::span<std::byte> theirs, int peer,
                   ncclComm_t comm, cudaStream_t stream) const
{
    NcclGroup group(*this);
    if (!own.empty())
        check("ncclSend", send(own.data(), own.size(), ncclUint8, peer, comm, stream), comm);
    if (!theirs.empty())
        check("ncclRecv", recv(theirs.data(), theirs.size(), ncclUint8, peer, comm, stream), comm);
    group.end(comm);
}

Result<void> NcclApi::health(ncclComm_t comm) const
{
    ncclResult_t state = ncclSuccess;
    const ncclResult_t asked = commGetAsyncError(comm, &state);
    try {
        check("ncclCommGetAsyncError", asked, comm);
        check("an NCCL connection", state, comm);
        return {};
    } catch (const DeviceError& failure) {
        return fail(ErrorCode::Fault, failure.what());
    }
}

Result<const NcclApi*> loadNccl()
{
    static const Result<NcclApi> api = open();
    if (!api)
        return fail(api.error());
    return &*api;
}

} // namespace pw::exec::cuda
