// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_rank.h"

#include "core/sim/simulator.h"
#include "executor/cuda/cuda_error.h"
#include "executor/cuda/cuda_ops.h"
#include "executor/cuda/nccl_transport.h"
#include "executor/cuda/pass_ranges.h"
#include "executor/model/training.h"

namespace pw::exec::cuda {

namespace {

class CudaRank final : public RankParts
{
public:
    /// @throws DeviceError
    explicit CudaRank(RankRequest& request)
        : m_device(open(request.deviceOfHost, *request.clock))
    {
        const RunPlan& plan = *request.plan;
        const Ticks patience = patienceOf(plan);
        std::vector<std::shared_ptr<RankDevice>> devices(
            static_cast<std::size_t>(plan.schedule.devices()));
        devices[static_cast<std::size_t>(request.rank)] = m_device;
        m_transport = std::make_unique<NcclTransport>(
            plan, std::move(request.host), std::move(devices), request.broadcast, patience);
        m_workers = [device = m_device, &plan, patience, listener = request.listener](
                        int rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
            device->enter();
            return withRanges(makeTrainingWorker(plan, rank,
                                                 makeCudaOps(device, plan.model.element, patience),
                                                 listener),
                              rank, device);
        };
    }

    const WorkerFactory& workers() const override { return m_workers; }
    Transport& transport() override { return *m_transport; }
    std::vector<std::string> notes() const override { return m_notes; }

private:
    std::shared_ptr<RankDevice> open(int gpu, const RunClock& clock)
    {
        auto shares = std::make_shared<GpuShares>(gpu, 1);
        auto events = std::make_shared<EventPool>(gpu);
        const GpuClock aligned = alignClock(*events, shares->makeStream(0, false), clock);
        m_notes.push_back("times of GPU " + std::to_string(gpu) +
                          " count from one event, which lies on the host's clock to within " +
                          std::to_string(aligned.uncertainty) + " ns");
        return std::make_shared<RankDevice>(std::move(shares), std::move(events), aligned, 0);
    }

    static Ticks patienceOf(const RunPlan& plan)
    {
        if (plan.patience > 0)
            return plan.patience;
        const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
        return defaultPatience(simulated ? simulated->makespan : 0);
    }

    std::vector<std::string> m_notes;
    std::shared_ptr<RankDevice> m_device;
    std::unique_ptr<Transport> m_transport;
    WorkerFactory m_workers;
};

} // namespace

Result<std::unique_ptr<RankParts>> makeCudaRank(RankRequest& request)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        count = 0;
    if (request.deviceOfHost >= count)
        return fail(ErrorCode::BadValue, "rank " + std::to_string(request.rank) + " wants GPU " +
                                             std::to_string(request.deviceOfHost) +
                                             " of its host, which has " + std::to_string(count) +
                                             "; one process a GPU");
    try {
        return std::make_unique<CudaRank>(request);
    } catch (const DeviceError& failure) {
        return fail(ErrorCode::Fault,
                    "rank " + std::to_string(request.rank) + ": " + failure.what());
    }
}

} // namespace pw::exec::cuda
