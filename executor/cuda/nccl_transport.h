// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/transport.h"
#include "executor/cuda/rank_device.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace pw::exec::cuda {

class NcclPool;

/// Gives all processes of a run the same bytes: what `root`'s process has there when it calls.
/// Every process calls in the same order. Where all ranks are in one process it does nothing.
using Broadcast = std::function<Result<void>(std::span<std::byte> bytes, RankId root)>;

/// Ranks with a GPU each, in one process or several, that talk through NCCL.
///
/// Every connection has a communicator of two ranks and a stream at both ends, so that opposite
/// directions and different peers never wait for each other. NCCL has no tags: the receiver takes
/// the messages of a connection in the order in which the program sends them, early ones too, and
/// keeps what overtakes. The gradients of two copies of a stage are added by an all-reduce over
/// two ranks; a sum of two is the same in either order. Shards are swapped, and added by the rank.
/// Exchanges of one connection come to both its ends in one order: on the host each waits for the
/// other's side before anything is enqueued. What a rank hands over is made behind what it took
/// before, so that of its exchanges one at a time is under way on its device.
///
/// The host transport carries the packets' heads: it checks tags, waits with a limit and lets
/// ranks meet. So a receive is enqueued when its send has been. Its kernel begins when what is to
/// come has been made, or, where that is another process's to know, when the device comes to the
/// entry before the one that needs it: a kernel that waits takes multiprocessors from passes.
/// PW_CUDA_RECEIVE=near has it so in one process, too. Neither can wait for ever but
/// through a failure of the machine, which the runner notices by its own limit; `abort` then frees
/// the device.
class NcclTransport final : public Transport
{
public:
    /// Connects all ranks and sends a byte over every connection, since NCCL sets a connection up
    /// when it is first used and the host would wait for its peer then.
    ///
    /// @param plan       outlives the transport
    /// @param host       of all ranks
    /// @param devices    by rank; null for ranks of other processes
    /// @param patience   longest wait for NCCL, but that connecting may take a minute; no wait goes
    ///                   on once a device's `stop` is requested
    /// @param pool       where connections come from and go to when a run has ended well: of runs
    ///                   with the same devices, all in this process; null: they end with the run
    /// @pre    what the ranks need of the driver has been taken: from now on it is not asked, since
    ///         it would wait for kernels that wait for other ranks
    /// @throws DeviceError
    NcclTransport(const RunPlan& plan, std::unique_ptr<Transport> host,
                  std::vector<std::shared_ptr<RankDevice>> devices, const Broadcast& broadcast,
                  Ticks patience, std::shared_ptr<NcclPool> pool = nullptr);
    ~NcclTransport() override;

    std::string_view name() const override { return "NCCL"; }
    std::vector<RankId> ranks() const override { return m_host->ranks(); }
    Result<std::unique_ptr<Endpoint>> endpoint(RankId rank) override;

    std::vector<RunLog> said() override;

    struct State;

private:
    std::unique_ptr<Transport> m_host;
    std::shared_ptr<State> m_state;
};

} // namespace pw::exec::cuda
