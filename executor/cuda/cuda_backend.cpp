// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_backend.h"

#include "core/base/try.h"
#include "executor/api/environment.h"
#include "executor/api/runner.h"
#include "executor/cuda/cupti_api.h"
#include "executor/cuda/gpu_list.h"
#include "executor/cuda/gpu_ranks.h"
#include "executor/cuda/kernel_watch.h"
#include "executor/cuda/launches.h"
#include "executor/cuda/nccl_api.h"
#include "executor/cuda/pass_ranges.h"
#include "executor/cuda/plan_needs.h"
#include "executor/cuda/rank_places.h"
#include "executor/model/training.h"

#include <utility>

namespace pw::exec::cuda {

namespace {

class CudaBackend final : public Backend
{
public:
    BackendInfo info() const override
    {
        GpuList gpus = findGpus();
        BackendInfo info;
        info.name = "cuda";
        info.summary = "CUDA: " + librariesText();
        try {
            // Graphs are made in the second iteration, and few in the third.
            info.warmup = graphsWanted() == Graphs::None ? 1 : 3;
        } catch (const DeviceError& wrong) {
            info.notes.emplace_back(wrong.what());
        }
        info.missing = std::move(gpus.missing);
        info.available = info.missing.empty();
        if (info.available) {
            info.devices = std::move(gpus.devices);
            info.notes = std::move(gpus.refused);
        }
        if (const Result<const NcclApi*> nccl = loadNccl(); !nccl)
            info.notes.push_back(nccl.error().message + "; several GPUs then copy directly");
        info.notes.emplace_back("more ranks than GPUs cut each GPU into parts with "
                                "multiprocessors of their own (green contexts), where it can");
        return info;
    }

    Result<RunFigures> run(const RunPlan& plan, RunSink& sink, const Stop& stop) override
    {
        const GpuList here = findGpus();
        if (!here.missing.empty())
            return fail(ErrorCode::BadValue, "the backend cuda is not available: %1", here.missing);
        const Ticks patience = patienceOf(plan);
        const GpuUse use{here.numbers, plan.schedule.devices(), plan.model.element,
                         plan.model.tf32};
        try {
            // A plan that is unlike the last one has GPUs of its own, and the memory of that.
            if (m_ranks != nullptr && !(m_ranks->use() == use))
                m_ranks.reset();
            if (m_ranks == nullptr)
                m_ranks = std::make_shared<GpuRanks>(use, stop, patience);
            Result<RunFigures> figures = runOn(*m_ranks, plan, patience, sink, stop);
            // A rank that hangs in its device still uses all of it.
            if (ranksLeftBehind())
                new std::shared_ptr<GpuRanks>(std::move(m_ranks));
            else if (!figures || !m_ranks->endRun())
                m_ranks.reset(); // the device is in a state that nobody knows
            return figures;
        } catch (const DeviceError& failure) {
            m_ranks.reset();
            return fail(ErrorCode::Fault, failure.what());
        }
    }

    Result<KernelCount> kernelsOf(const RunPlan& plan, RunSink& sink, const Stop& stop) override
    {
        PW_TRY(const CuptiApi* const cupti, loadCupti());
        PW_TRY(m_watch, KernelWatch::begin(*cupti));
        // A run that fails leaves the watch to its ranks, which may still be at work.
        const Result<RunFigures> ran = run(plan, sink, stop);
        const std::shared_ptr<KernelWatch> watch = std::exchange(m_watch, nullptr);
        if (!ran)
            return fail(ran.error());
        PW_TRY(const KernelRecords records, watch->end());
        return countKernels(records);
    }

    bool keepsMemory() const override { return true; }

    Result<std::vector<MemoryPool>> memory(int devices) override
    {
        const GpuList here = findGpus();
        if (!here.missing.empty())
            return fail(ErrorCode::BadValue, "the backend cuda is not available: %1", here.missing);
        std::vector<MemoryPool> pools;
        try {
            for (const RankPlace& place :
                 placeRanks(devices, static_cast<int>(here.numbers.size()))) {
                if (place.share > 0)
                    continue;
                const int gpu = here.numbers[static_cast<std::size_t>(place.gpu)];
                pools.push_back({freeBytes(gpu), place.shares});
            }
        } catch (const DeviceError& failure) {
            return fail(ErrorCode::Fault, failure.what());
        }
        return pools;
    }

private:
    Result<RunFigures> runOn(GpuRanks& ranks, const RunPlan& plan, Ticks patience, RunSink& sink,
                             const Stop& stop)
    {
        if (m_watch != nullptr)
            ranks.makeGraphsAnew(); // CUPTI tells of the kernels of graphs that it has seen made
        PW_DO(ranks.beginRun(plan, stop, patience));
        PW_TRY(std::unique_ptr<Transport> transport, ranks.transport(plan));
        const auto worker =
            [&ranks, &plan, patience, listener = snapshotListener(), watch = m_watch](
                RankId rank, const RunClock& clock) -> Result<std::unique_ptr<Worker>> {
            const std::shared_ptr<RankDevice>& device = ranks.device(rank);
            device->enter();
            return withRanges(makeTrainingWorker(plan, rank, ranks.ops(rank), listener), rank,
                              device, patience, clock, watch);
        };
        RunEnvironment environment = environmentHere("cuda", transport->name());
        environment.driver = librariesText() + "; " + environment.driver;
        environment.devices = ranks.describe();
        Result<RunFigures> figures = runRanks(plan, worker, *transport, ranks.clock(), environment,
                                              sink, stop, ranks.notes());
        if (ranksLeftBehind())
            static_cast<void>(transport.release());
        return figures;
    }

    std::shared_ptr<GpuRanks> m_ranks;    ///< of the last run, where it ended well
    std::shared_ptr<KernelWatch> m_watch; ///< of the run at hand; null: nobody watches
};

} // namespace

std::unique_ptr<Backend> makeCudaBackend()
{
    return std::make_unique<CudaBackend>();
}

} // namespace pw::exec::cuda
