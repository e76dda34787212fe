// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <functional>
#include <string>
#include <vector>

namespace pw::test {

/// A pass of a rank of such a job.
struct KernelWork
{
    bool forward = true;
    int microBatch = 0;
    int chunk = 0;
};

/// A job whose trace has kernels, messages and steps, and no label of a pass. Ranks are laid out as
/// Megatron's: tensor ranks inside, then replicas, then stages.
struct KernelJob
{
    int stages = 4;
    int replicas = 1;
    int tensorRanks = 1; ///< with 2 or more the last kernel of a pass is their sum
    int microBatches = 6;
    int steps = 3;
    int chunks = 1;
    /// The order of a stage; empty: 1F1B.
    std::function<std::vector<KernelWork>(int stage)> order{};
    /// The kernels of a pass; empty: three a pass, of other names in backwards.
    std::function<std::vector<std::string>(int stage, KernelWork pass)> kernels{};
    int forwardTime = 1000; ///< µs
    int backwardTime = 2000;
    std::vector<std::string> before{}; ///< what a rank runs when a step begins
    std::vector<std::string> behind{}; ///< what updates the parameters when it ends
    bool launched = true;              ///< launches are in the file
    bool early = false;                ///< receives are posted while the pass before is launched
    bool endsTold = true;              ///< what sends and what receives
    bool peersTold = false;            ///< and the other rank, by its number
    bool peersArePlaces = false;       ///< that is told by its place in the group
    bool stepsTold = true;
    bool pipelineTold = true; ///< by the description of the process group
    bool groupsListed = true; ///< the ranks of groups
    int firstStep = 1;
};

/// A pass as it should be found.
struct KernelJobPass
{
    int rank = 0;
    int stage = 0;
    int step = 0;
    bool forward = true;
    int microBatch = 0;
    Ticks start = 0;
    Ticks end = 0;

    friend bool operator==(const KernelJobPass&, const KernelJobPass&) = default;
};

struct KernelJobTrace
{
    Trace trace;
    std::vector<KernelJobPass> passes; ///< by rank and start
};

KernelJobTrace kernelJobTrace(const KernelJob& job);

/// The passes that labels of a trace say, by rank and start.
std::vector<KernelJobPass> labelledPasses(const Trace& trace);

/// All forwards, then all backwards.
std::vector<KernelWork> forwardsFirst(int microBatches);

} // namespace pw::test
