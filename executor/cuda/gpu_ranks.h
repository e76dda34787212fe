// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/run_sink.h"
#include "executor/api/transport.h"
#include "executor/cuda/device_transport.h"
#include "executor/cuda/rank_device.h"
#include "executor/cuda/rank_places.h"
#include "executor/model/ops.h"

#include <memory>
#include <string>
#include <vector>

namespace pw::exec::cuda {

class NcclPool;

/// What of a plan decides how GPUs are opened: plans that are alike in this may use the same.
struct GpuUse
{
    std::vector<int> gpus; ///< that may be used
    int ranks = 1;
    Element element = Element::Float32;
    bool tf32 = false;

    friend bool operator==(const GpuUse&, const GpuUse&) = default;
};

/// The GPUs of the ranks of this process, opened: streams, memory, libraries and connections. Runs
/// one after the other can have them, so that what comes before a run's first pass is done once: to
/// open a GPU and start its libraries takes as long as hundreds of passes.
class GpuRanks
{
public:
    /// @param stop  ends all waits, here and of the first run
    /// @throws DeviceError
    GpuRanks(GpuUse use, const Stop& stop, Ticks patience);

    const GpuUse& use() const { return m_use; }

    /// Takes what the ranks need of the driver for a plan, as far as it is not there: before they
    /// are connected, since much of it waits for the whole device.
    /// @param stop         ends all waits until the run's own does
    /// @error MemoryLimit  the plan needs more than there is
    /// @throws DeviceError
    Result<void> beginRun(const RunPlan& plan, const Stop& stop, Ticks patience);
    /// @pre    the plan's run has begun
    /// @throws DeviceError
    Result<std::unique_ptr<Transport>> transport(const RunPlan& plan);
    /// Whether another run can have all this: the devices have come to the end of their work.
    bool endRun() noexcept;
    /// Graphs of earlier runs are not launched any more.
    /// @throws DeviceError
    void makeGraphsAnew();

    const std::shared_ptr<RankDevice>& device(RankId rank) const { return m_devices[rank.index()]; }
    /// Of a rank, for one worker at a time.
    const std::shared_ptr<Ops>& ops(RankId rank) const { return m_ops[rank.index()]; }
    RunClock& clock() { return m_clock; }
    std::vector<RunDevice> describe() const;
    /// What a user should know of the run that has begun.
    std::vector<std::string> notes() const;

private:
    struct Gpu
    {
        std::shared_ptr<GpuShares> shares;
        std::shared_ptr<EventPool> events;
        std::shared_ptr<GpuTime> time;
    };

    void open(const RankPlace& place, int number);
    std::unique_ptr<Transport> connected(const RunPlan& plan, std::unique_ptr<Transport> host);
    Result<void> checkMemory(const RunPlan& plan) const;
    /// What flash attention is computed on.
    std::string flashNote(int headSize) const;
    /// Of what a rank's GPU has free or lent to ranks of this process that share it from this one
    /// on, the rank's part.
    Bytes availableFor(RankId rank) const;

    GpuUse m_use;
    RunClock m_clock;
    std::vector<RankPlace> m_places;
    std::vector<Gpu> m_gpus;
    std::vector<std::shared_ptr<RankDevice>> m_devices;
    std::vector<std::shared_ptr<Ops>> m_ops; ///< by rank
    std::shared_ptr<Carrier> m_toItself;     ///< NCCL on one GPU, once it was asked for
    std::shared_ptr<NcclPool> m_pool; ///< connections between runs, where each rank has its GPU
    std::vector<std::string> m_notes; ///< of the GPUs
    std::vector<std::string> m_runNotes;
};

} // namespace pw::exec::cuda
