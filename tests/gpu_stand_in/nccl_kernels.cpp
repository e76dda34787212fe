// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/nccl_kernels.h"

#include "tests/gpu_stand_in/nccl_words.h"

#include <algorithm>
#include <cstring>

namespace pw::gpu {

std::mutex ncclGuard;

namespace {

int launched = 0; ///< kernels, of all communicators; guarded

/// The other half of what a call begins, or the first half.
std::shared_ptr<Pair> meet(Pairs& mine, Pairs& theirs, std::pair<int, int> way)
{
    auto& waiting = theirs[way];
    if (!waiting.empty()) {
        const std::shared_ptr<Pair> pair = waiting.front();
        waiting.pop_front();
        return pair;
    }
    auto pair = std::make_shared<Pair>();
    mine[way].push_back(pair);
    return pair;
}

/// In the order of the launches, which is what NCCL matches by.
void match(Call& call)
{
    Clique& clique = *call.comm->clique;
    const int rank = call.comm->rank;
    if (call.what == What::Send) {
        call.pair = meet(clique.sends, clique.receives, {rank, call.peer});
        call.pair->from = call.from;
        call.pair->sent = call.size;
    } else if (call.what == What::Receive) {
        call.pair = meet(clique.receives, clique.sends, {call.peer, rank});
        call.pair->to = call.to;
        call.pair->received = call.size;
    } else {
        const auto at = static_cast<std::size_t>(rank);
        const auto ranks = static_cast<std::size_t>(clique.ranks);
        std::shared_ptr<Sum>& sum = clique.sums[clique.sumsOf[at]++];
        if (sum == nullptr)
            sum = std::make_shared<Sum>(
                Sum{std::vector<const void*>(ranks), std::vector<void*>(ranks),
                    std::vector<std::size_t>(ranks), std::vector<bool>(ranks)});
        sum->from[at] = call.from;
        sum->to[at] = call.to;
        sum->counts[at] = call.size;
        call.sum = sum;
    }
}

/// @return  whether it had not begun before
bool begin(const Call& call)
{
    if (call.what == What::Sum) {
        const auto at = static_cast<std::size_t>(call.comm->rank);
        const bool fresh = !call.sum->began[at];
        call.sum->began[at] = true;
        return fresh;
    }
    bool& began = call.what == What::Send ? call.pair->sendBegan : call.pair->receiveBegan;
    const bool fresh = !began;
    began = true;
    return fresh;
}

bool allBegan(const Call& call)
{
    if (call.what != What::Sum)
        return call.pair->sendBegan && call.pair->receiveBegan;
    return std::all_of(call.sum->began.begin(), call.sum->began.end(),
                       [](bool one) { return one; });
}

void carry(Pair& pair)
{
    if (pair.done)
        return;
    pair.done = true;
    if (pair.sent != pair.received)
        stop("ncclSend of " + std::to_string(pair.sent) + " bytes meets an ncclRecv of " +
             std::to_string(pair.received));
    std::memcpy(pair.to, pair.from, pair.sent);
}

void add(Sum& sum)
{
    if (sum.done)
        return;
    sum.done = true;
    if (std::any_of(sum.counts.begin(), sum.counts.end(),
                    [&](std::size_t count) { return count != sum.counts.front(); }))
        stop("ncclAllReduce of different sizes");
    std::vector<float> total(sum.counts.front());
    for (const void* const from : sum.from) {
        for (std::size_t i = 0; i < total.size(); ++i)
            total[i] += static_cast<const float*>(from)[i];
    }
    for (void* const to : sum.to)
        std::memcpy(to, total.data(), total.size() * sizeof(float));
}

/// What a communicator does at once on a stream: one kernel.
using Calls = std::vector<Call>;

bool kernelReady(const Calls& calls)
{
    const std::lock_guard lock(ncclGuard);
    const Communicator& comm = *calls.front().comm;
    if (comm.cutOff)
        return true;
    if (comm.failure != ncclSuccess)
        return false; // until it is cut off
    bool fresh = false;
    for (const Call& call : calls)
        fresh = begin(call) || fresh;
    if (fresh)
        Machine::one().lookAgain();
    return std::all_of(calls.begin(), calls.end(), allBegan);
}

void kernelRun(const Calls& calls)
{
    const std::lock_guard lock(ncclGuard);
    Communicator& comm = *calls.front().comm;
    --comm.kernels;
    if (comm.cutOff)
        return;
    for (const Call& call : calls) {
        if (call.what == What::Sum)
            add(*call.sum);
        else
            carry(*call.pair);
    }
}

std::string kernelWhy(const Calls& calls)
{
    const std::lock_guard lock(ncclGuard);
    for (const Call& call : calls) {
        if (!allBegan(call))
            return "rank " + std::to_string(call.what == What::Sum ? -1 : call.peer) +
                   " of its communicator, which has not come to its call";
    }
    return "its communicator, which has failed";
}

} // namespace

void launchCalls(std::vector<Call> calls)
{
    // The order within the group is the order within a kernel.
    std::vector<Calls> kernels;
    {
        const std::lock_guard lock(ncclGuard);
        for (Call& call : calls) {
            match(call);
            const auto same = std::find_if(kernels.begin(), kernels.end(), [&](const Calls& one) {
                return one.front().comm == call.comm && one.front().stream == call.stream;
            });
            if (same != kernels.end())
                same->push_back(std::move(call));
            else
                kernels.push_back({std::move(call)});
        }
        for (const Calls& kernel : kernels) {
            Communicator& comm = *kernel.front().comm;
            ++comm.kernels;
            if (++launched == setting("PW_FAKE_NCCL_FAULT", 0)) {
                comm.failure = ncclRemoteError;
                ncclSays("WARN", comm.device, "socketProgress: Connection closed by remote peer");
            }
        }
    }
    for (Calls& kernel : kernels) {
        const auto shared = std::make_shared<Calls>(std::move(kernel));
        enqueueAnywhere(shared->front().stream,
                        {"a kernel of NCCL", [shared] { return kernelReady(*shared); },
                         [shared] { kernelRun(*shared); },
                         [shared] { return kernelWhy(*shared); }});
    }
}

} // namespace pw::gpu
