// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/nccl_kernels.h"
#include "tests/gpu_stand_in/nccl_words.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <thread>

// NCCL among the GPUs of one process. A call is a kernel that occupies its stream until its peers'
// kernels have begun, too; a communicator that does not block launches it a little later than its
// call returns; one that is cut off ends its own kernels, and waits for its GPU.
struct ncclComm
{
    std::shared_ptr<pw::gpu::Communicator> state;
};

namespace pw::gpu {

namespace {

std::map<std::string, std::shared_ptr<Clique>> cliques;
std::vector<ncclComm_t> alive;
int ids = 0;

thread_local int depth = 0;
thread_local std::vector<Call> group;
thread_local std::vector<std::shared_ptr<Communicator>> cutInGroup;

std::shared_ptr<Communicator> stateOf(ncclComm_t comm, const char* call)
{
    const std::lock_guard lock(ncclGuard);
    if (std::find(alive.begin(), alive.end(), comm) == alive.end())
        stop(std::string(call) + " on a communicator that is gone");
    return comm->state;
}

/// Whether a send to the own rank stands without its receive: neither could begin.
bool lonely(const std::vector<Call>& calls)
{
    std::map<const Communicator*, int> open;
    for (const Call& call : calls) {
        if (call.what != What::Sum && call.peer == call.comm->rank)
            open[call.comm.get()] += call.what == What::Send ? 1 : -1;
    }
    return std::any_of(open.begin(), open.end(), [](const auto& one) { return one.second != 0; });
}

void cutOff(const std::vector<std::shared_ptr<Communicator>>& comms)
{
    {
        const std::lock_guard lock(ncclGuard);
        for (const auto& comm : comms)
            comm->cutOff = true;
    }
    wake();
    for (const auto& comm : comms) // its memory is freed
        awaitDevice(comm->device, "ncclCommAbort");
}

ncclResult_t endGroup()
{
    std::vector<Call> calls;
    calls.swap(group);
    std::vector<std::shared_ptr<Communicator>> cut;
    cut.swap(cutInGroup);
    if (!cut.empty())
        cutOff(cut);
    if (calls.empty())
        return ncclSuccess;
    if (lonely(calls))
        return ncclInvalidUsage;
    const bool blocks = std::all_of(calls.begin(), calls.end(),
                                    [](const Call& call) { return call.comm->blocking; });
    if (blocks) {
        launchCalls(std::move(calls));
        return ncclSuccess;
    }
    std::vector<std::shared_ptr<Communicator>> comms;
    {
        const std::lock_guard lock(ncclGuard);
        for (const Call& call : calls) {
            if (std::find(comms.begin(), comms.end(), call.comm) == comms.end())
                comms.push_back(call.comm);
        }
        for (const auto& comm : comms)
            ++comm->launching;
    }
    constexpr unsigned longest = 150; // µs
    const std::chrono::microseconds later(random(longest));
    std::thread([calls = std::move(calls), comms, later] {
        std::this_thread::sleep_for(later);
        launchCalls(calls);
        const std::lock_guard lock(ncclGuard);
        for (const auto& comm : comms)
            --comm->launching;
    }).detach();
    return ncclInProgress;
}

ncclResult_t given(Call call, ncclComm_t comm, const char* name)
{
    call.comm = stateOf(comm, name);
    {
        const std::lock_guard lock(ncclGuard);
        const Communicator& state = *call.comm;
        if (state.failure != ncclSuccess)
            return state.failure;
        if (state.joining || state.launching > 0 || state.cutOff || call.peer < 0 ||
            call.peer >= state.clique->ranks) {
            std::fprintf(stderr, "stand-in GPU: %s on a communicator that is not ready\n", name);
            return ncclInvalidArgument;
        }
    }
    if (deviceOf(call.stream) != call.comm->device)
        stop(std::string(name) + " on a stream of another GPU than its communicator's");
    const std::size_t bytes = call.what == What::Sum ? call.size * sizeof(float) : call.size;
    for (const void* const data : {call.from, static_cast<const void*>(call.to)}) {
        if (data != nullptr && Machine::one().ownerOf(data, bytes, name) != call.comm->device)
            stop(std::string(name) + " of memory that is not its GPU's");
    }
    group.push_back(std::move(call));
    return depth > 0 ? ncclSuccess : endGroup();
}

/// Waits on the host for NCCL; what never comes ends the process.
template<typename Done>
void awaitNccl(Done done, const char* call)
{
    const Clock::time_point end =
        Clock::now() + std::chrono::seconds(setting("PW_FAKE_PATIENCE", 20));
    for (;;) {
        {
            const std::lock_guard lock(ncclGuard);
            if (done())
                return;
        }
        if (Clock::now() > end)
            stop(std::string(call) + " waits without an end:" + Machine::one().table(-1));
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

void forget(ncclComm_t comm)
{
    const std::lock_guard lock(ncclGuard);
    alive.erase(std::find(alive.begin(), alive.end(), comm));
    delete comm;
}

} // namespace

} // namespace pw::gpu

using namespace pw::gpu;

extern "C" {

ncclResult_t ncclGetVersion(int* version)
{
    *version = NCCL_VERSION(2, 28, 9);
    return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result)
{
    switch (result) {
    case ncclSuccess:
        return "no error";
    case ncclInvalidArgument:
        return "invalid argument";
    case ncclInvalidUsage:
        return "invalid usage";
    case ncclRemoteError:
        return "remote process exited or there was a network error";
    case ncclInProgress:
        return "NCCL operation in progress";
    default:
        return "an error of the stand-in";
    }
}

const char* ncclGetLastError(ncclComm_t)
{
    return "";
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id)
{
    const std::lock_guard lock(ncclGuard);
    *id = {};
    std::snprintf(id->internal, sizeof(id->internal), "clique %d", ++ids);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config)
{
    auto state = std::make_shared<Communicator>();
    state->rank = rank;
    state->device = currentDevice();
    state->blocking = config->blocking != 0;
    {
        const std::lock_guard lock(ncclGuard);
        std::shared_ptr<Clique>& clique = cliques[id.internal];
        if (clique == nullptr)
            clique = std::make_shared<Clique>();
        clique->ranks = ranks;
        clique->sumsOf.resize(static_cast<std::size_t>(ranks));
        const auto& devices = clique->devices;
        if (std::find(devices.begin(), devices.end(), state->device) != devices.end())
            state->failure = ncclInvalidUsage; // one rank a GPU
        clique->devices.push_back(state->device);
        state->clique = clique;
        *comm = new ncclComm{state};
        alive.push_back(*comm);
    }
    ncclSays("INFO", state->device,
             "ncclCommInitRankConfig rank " + std::to_string(rank) + " nranks " +
                 std::to_string(ranks) + " - Init START");
    if (!state->blocking)
        return ncclInProgress;
    if (depth > 0 && ranks > 1)
        stop("a communicator that blocks, made in a group, is not known here");
    awaitNccl([&] { return static_cast<int>(state->clique->devices.size()) == ranks; },
              "ncclCommInitRankConfig");
    state->joining = false;
    return state->failure;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm)
{
    const std::shared_ptr<Communicator> state = stateOf(comm, "ncclCommFinalize");
    {
        const std::lock_guard lock(ncclGuard);
        state->ending = true;
    }
    if (!state->blocking)
        return ncclInProgress;
    awaitNccl([&] { return state->kernels == 0 || state->cutOff; }, "ncclCommFinalize");
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    const std::shared_ptr<Communicator> state = stateOf(comm, "ncclCommDestroy");
    awaitNccl([&] { return (state->launching == 0 && state->kernels == 0) || state->cutOff; },
              "ncclCommDestroy");
    forget(comm);
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    const std::shared_ptr<Communicator> state = stateOf(comm, "ncclCommAbort");
    forget(comm);
    cutInGroup.push_back(state);
    return depth > 0 ? ncclSuccess : endGroup();
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* result)
{
    const std::shared_ptr<Communicator> state = stateOf(comm, "ncclCommGetAsyncError");
    constexpr unsigned often = 3;
    const bool soon = random(often) != 0;
    const std::lock_guard lock(ncclGuard);
    if (state->joining)
        state->joining =
            soon || static_cast<int>(state->clique->devices.size()) < state->clique->ranks;
    const bool busy =
        state->joining || state->launching > 0 || (state->ending && state->kernels > 0);
    *result = busy ? ncclInProgress : ncclSuccess;
    if (state->failure != ncclSuccess)
        *result = state->failure;
    return ncclSuccess;
}

ncclResult_t ncclGroupStart()
{
    ++depth;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd()
{
    if (depth == 0)
        return ncclInvalidUsage;
    return --depth == 0 ? endGroup() : ncclSuccess;
}

ncclResult_t ncclSend(const void* data, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream)
{
    const std::size_t bytes = count * (type == ncclFloat32 ? sizeof(float) : 1);
    return given({What::Send, {}, stream, data, nullptr, bytes, peer}, comm, "ncclSend");
}

ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream)
{
    const std::size_t bytes = count * (type == ncclFloat32 ? sizeof(float) : 1);
    return given({What::Receive, {}, stream, nullptr, data, bytes, peer}, comm, "ncclRecv");
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t how, ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclFloat32 || how != ncclSum)
        return ncclInvalidArgument;
    return given({What::Sum, {}, stream, from, to, count}, comm, "ncclAllReduce");
}

} // extern "C"
