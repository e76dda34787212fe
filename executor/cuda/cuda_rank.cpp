// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_rank.h"

#include "core/base/try.h"
#include "executor/cuda/cuda_ops.h"
#include "executor/cuda/gpu_list.h"
#include "executor/cuda/gpu_seats.h"
#include "executor/cuda/nccl_transport.h"
#include "executor/cuda/pass_ranges.h"
#include "executor/cuda/plan_needs.h"
#include "executor/model/training.h"

#include <algorithm>
#include <span>
#include <vector>

namespace pw::exec::cuda {

namespace {

class CudaRank final : public RankParts
{
public:
    /// @throws DeviceError
    CudaRank(RankRequest& request, int gpu)
        : m_device(open(request, gpu))
    {
        const RunPlan& plan = *request.plan;
        const Ticks patience = patienceOf(plan);
        m_device->beginIteration(noIteration, patience);
        // Before the ranks are connected: much of it waits for the whole device.
        const Products products = plan.model.tf32 ? Products::Tf32 : Products::Full;
        GpuBeside& beside = m_device->gpu->beside();
        const RankMemory& memory = *m_device->memory;
        beside.count(&GpuMemory::contexts, beside.freeAtStart(), 0, memory.reserved());
        const Bytes free = freeBytes(gpu);
        Bytes reserved = memory.reserved();
        m_ops = makeCudaOps(m_device, plan.model.element, patience, products);
        beside.count(&GpuMemory::workspaces, free, reserved, memory.reserved());
        reserveFor(plan, request.rank, 0, *m_device->memory);
        reserveHost(plan, request.rank, *m_device);
        std::vector<std::shared_ptr<RankDevice>> devices(
            static_cast<std::size_t>(plan.schedule.devices()));
        devices[request.rank.index()] = m_device;
        const Bytes unconnected = freeBytes(gpu);
        reserved = memory.reserved();
        m_transport = std::make_unique<NcclTransport>(
            plan, std::move(request.host), std::move(devices), request.broadcast, patience);
        beside.count(&GpuMemory::connections, unconnected, reserved, memory.reserved());
        m_workers = [this, &plan, patience, listener = request.listener](
                        RankId rank, const RunClock& clock) -> Result<std::unique_ptr<Worker>> {
            m_device->enter();
            return withRanges(makeTrainingWorker(plan, rank, std::move(m_ops), listener), rank,
                              m_device, patience, clock);
        };
    }

    const WorkerFactory& workers() const override { return m_workers; }
    Transport& transport() override { return *m_transport; }
    std::vector<std::string> notes() const override { return m_notes; }

private:
    std::shared_ptr<RankDevice> open(const RankRequest& request, int gpu)
    {
        auto shares = std::make_shared<GpuShares>(gpu, 1);
        auto events = std::make_shared<EventPool>(gpu);
        auto time = std::make_shared<GpuTime>(events, *request.clock);
        m_notes.push_back("times of GPU " + std::to_string(gpu) +
                          " are aligned with the host's clock at every iteration");
        auto device =
            std::make_shared<RankDevice>(std::move(shares), std::move(events), std::move(time), 0);
        device->stop = request.ended;
        return device;
    }

    std::vector<std::string> m_notes;
    std::shared_ptr<RankDevice> m_device;
    std::unique_ptr<Ops> m_ops; ///< until the rank takes it
    std::unique_ptr<Transport> m_transport;
    WorkerFactory m_workers;
};

/// Which of the GPUs that this process sees is its own: every process tells the others what it
/// sees, and all come to the same end.
Result<int> ownSeat(const RankRequest& request, const GpuList& gpus)
{
    std::vector<GpuSight> sights(static_cast<std::size_t>(request.plan->schedule.devices()));
    GpuSight& own = sights[request.rank.index()];
    own.place = request.deviceOfHost;
    own.count = static_cast<std::int32_t>(std::min(gpus.numbers.size(), GpuSight::mostGpus));
    for (std::size_t i = 0; i < static_cast<std::size_t>(own.count); ++i)
        own.gpus[i] = identityOf(gpus.numbers[i]);
    for (const RankId rank : Ids<RankId>(sights.size())) {
        const auto bytes = std::as_writable_bytes(std::span<GpuSight>(&sights[rank.index()], 1));
        PW_DO(request.broadcast(bytes, rank));
    }
    PW_TRY(const std::vector<int> seats, seatsOf(sights));
    return seats[request.rank.index()];
}

} // namespace

Result<std::unique_ptr<RankParts>> makeCudaRank(RankRequest& request)
{
    const GpuList gpus = findGpus();
    if (!gpus.missing.empty())
        return fail(ErrorCode::BadValue, "rank %1: %2", request.rank, gpus.missing);
    try {
        PW_TRY(const int seat, ownSeat(request, gpus));
        return std::make_unique<CudaRank>(request, gpus.numbers[static_cast<std::size_t>(seat)]);
    } catch (const DeviceError& failure) {
        return fail(ErrorCode::Fault, "rank %1: %2", request.rank, failure.what());
    }
}

} // namespace pw::exec::cuda
