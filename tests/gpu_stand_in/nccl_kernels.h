// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/gpu_stand_in/machine.h"

#include <nccl.h>

// NCCL's kernels among the GPUs of one process: what is sent and received, and who waits for whom.
namespace pw::gpu {

/// A send and its receive.
struct Pair
{
    const void* from = nullptr;
    void* to = nullptr;
    std::size_t sent = 0;
    std::size_t received = 0;
    bool sendBegan = false;
    bool receiveBegan = false;
    bool done = false;
};

/// A sum over all ranks.
struct Sum
{
    std::vector<const void*> from;
    std::vector<void*> to;
    std::vector<std::size_t> counts;
    std::vector<bool> began;
    bool done = false;
};

using Pairs = std::map<std::pair<int, int>, std::deque<std::shared_ptr<Pair>>>;

/// The ranks of one id.
struct Clique
{
    int ranks = 0;
    std::vector<int> devices{}; ///< of those that joined
    Pairs sends{};              ///< whose receive has not been launched, by sender and receiver
    Pairs receives{};
    std::vector<std::size_t> sumsOf{}; ///< launched so far, by rank
    std::map<std::size_t, std::shared_ptr<Sum>> sums{};
};

/// A rank's side of a clique; kernels that are under way hold on to it.
struct Communicator
{
    std::shared_ptr<Clique> clique;
    int rank = 0;
    int device = 0;
    bool blocking = true;
    bool joining = true;
    bool ending = false;
    bool cutOff = false;
    int launching = 0; ///< groups whose kernels are still to be put into their streams
    int kernels = 0;   ///< in streams
    ncclResult_t failure = ncclSuccess;
};

enum class What
{
    Send,
    Receive,
    Sum
};

struct Call
{
    What what = What::Send;
    std::shared_ptr<Communicator> comm;
    cudaStream_t stream = nullptr;
    const void* from = nullptr;
    void* to = nullptr;
    std::size_t size = 0; ///< bytes, or floats
    int peer = 0;
    std::shared_ptr<Pair> pair{};
    std::shared_ptr<Sum> sum{};
};

/// Of all communicators, cliques and pairs; taken after the machine's.
extern std::mutex ncclGuard;

/// Puts the kernels of a group's calls into their streams: one for each communicator and stream.
void launchCalls(std::vector<Call> calls);

} // namespace pw::gpu
