// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/transport.h"
#include "executor/cuda/nccl_debug.h"
#include "executor/cuda/rank_device.h"

#include <memory>
#include <vector>

namespace pw::exec::cuda {

/// How a result gets from the sender's memory into the receiver's.
class Carrier
{
public:
    virtual ~Carrier() = default;
    virtual std::string_view name() const = 0; ///< "device copies"
    /// Sets up what results of a plan travel over; what is there from another plan stays.
    /// @throws DeviceError
    virtual void serve(const RunPlan&) {}
    /// Enqueues the transfer on a stream of the receiver, on the receiver's thread.
    /// @throws DeviceError
    virtual void carry(RankId from, RankId to, void* target, const void* source, Bytes bytes,
                       cudaStream_t stream) = 0;
    /// What has been reported of transfers to a rank, or good; on the rank's thread.
    virtual Result<void> health(RankId) const { return {}; }
};

/// cudaMemcpyAsync; between two GPUs too.
std::unique_ptr<Carrier> makeCopies();

/// NCCL's own path on one GPU: a communicator of one rank for every connection, which sends to
/// itself. A copy in the end, but by NCCL's kernels and in its order.
/// @param gpu  that all ranks are on
/// @throws DeviceError  NCCL is not there
std::unique_ptr<Carrier> makeNcclToItself(int gpu);

/// Ranks of one process whose results stay on GPUs. Another transport hands packets over on the
/// host, checks tags and waits; this one then lets the receiver's link stream carry the result,
/// after the sender's pass and before the receiver's, ordered by events alone.
class DeviceTransport final : public Transport
{
public:
    /// @param plan     outlives the transport
    /// @param carrier  that serves it
    /// @param host     whose packets hold `DevicePayload`s of the ranks
    /// @param devices  by rank
    DeviceTransport(const RunPlan& plan, std::unique_ptr<Transport> host,
                    std::shared_ptr<Carrier> carrier,
                    std::vector<std::shared_ptr<RankDevice>> devices);

    std::string_view name() const override { return m_carrier->name(); }
    std::vector<RankId> ranks() const override { return m_host->ranks(); }
    Result<std::unique_ptr<Endpoint>> endpoint(RankId rank) override;
    std::vector<RunLog> said() override { return takeNcclLines(RankId::none()); }

private:
    const RunPlan& m_plan;
    std::unique_ptr<Transport> m_host;
    std::shared_ptr<Carrier> m_carrier;
    std::vector<std::shared_ptr<RankDevice>> m_devices;
};

} // namespace pw::exec::cuda
