// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/runner.h"
#include "executor/api/snapshot.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pw::exec {

/// What `runRanks` needs for the one rank of a process, where a run has a process for each.
class RankParts
{
public:
    virtual ~RankParts() = default;

    virtual const WorkerFactory& workers() const = 0;
    virtual Transport& transport() = 0;
    /// What a user should know before the run begins.
    virtual std::vector<std::string> notes() const { return {}; }
};

/// What a module is told when it makes them.
struct RankRequest
{
    const RunPlan* plan = nullptr; ///< outlives the parts, as does the clock
    RankId rank{0};
    int deviceOfHost = 0; ///< which of this machine's devices: a process takes one
    const RunClock* clock = nullptr;
    /// Lets ranks meet and carries the heads of packets; the results go another way.
    std::unique_ptr<Transport> host;
    /// Gives all ranks of the plan the same bytes: what `root` has there when it calls. All call in
    /// the same order.
    std::function<Result<void>(std::span<std::byte> bytes, RankId root)> broadcast;
    SnapshotListener listener;
    const Stop* ended =
        nullptr; ///< of this process's part of the run; ends what the module waits for
};

/// What the module `pipewright-cuda` exports as `pw_cuda_rank`: parts made with new. Null with a
/// problem where `abi` is not the module's own `moduleAbi` or the device cannot be had.
using RankPartsFactory = RankParts* (*)(int abi, RankRequest& request, Error& problem);

} // namespace pw::exec
