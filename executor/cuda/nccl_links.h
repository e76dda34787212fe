// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/nccl_api.h"
#include "executor/cuda/nccl_pool.h"
#include "executor/cuda/nccl_transport.h"
#include "executor/cuda/rank_links.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <vector>

// The connections of the ranks of a run: what `NcclTransport` sets up and its endpoints use.
namespace pw::exec::cuda {

/// One end of a communicator of two ranks.
struct LinkEnd
{
    ncclComm_t comm = nullptr;
    cudaStream_t stream = nullptr;
    std::atomic<bool> aborted{false};
};

/// A connection: end 0 is its first rank's, end 1 its second's.
struct Link
{
    std::array<LinkEnd, 2> ends;
    std::vector<FirstUse> tried; ///< what it has been used for
    LinkWork work;
    AgainOrder again; ///< of one for `LinkUse::Again`; its receiver's
};

/// Shared by the endpoints; outlives the transport where a rank does.
struct NcclTransport::State
{
    State(const RunPlan& thePlan, std::vector<std::shared_ptr<RankDevice>> theDevices,
          Ticks thePatience, std::shared_ptr<NcclPool> thePool);
    ~State();

    RankDevice* gpuOf(RankId rank) { return devices[rank.index()].get(); }
    const Message& messageOf(std::int32_t message) const
    {
        return plan.program.messages[static_cast<std::size_t>(message)];
    }
    /// Takes a connection over that another run has left.
    bool takeKept(const LinkKey& key, Link& link);
    void connect(const LinkKey& key, Link& link, const Broadcast& broadcast);
    void tryOut(const LinkKey& key, Link& link);
    /// A connection takes seconds where NCCL looks at a large machine for the first time.
    Ticks connecting() const { return std::max(patience, 60'000 * ticksPerMs); }

    const RunPlan& plan;
    std::vector<std::shared_ptr<RankDevice>> devices;
    Ticks patience;
    std::atomic<std::size_t> endedWell{0}; ///< endpoints that have gone and were not aborted
    std::vector<Bytes> bytesOf;            ///< by message
    const NcclApi* api = nullptr;
    std::shared_ptr<NcclPool> pool; ///< where connections go that ended well; may be null
    std::map<LinkKey, Link> links;
};

} // namespace pw::exec::cuda
