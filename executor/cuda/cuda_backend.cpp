// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_backend.h"

#include "executor/api/environment.h"
#include "executor/api/runner.h"
#include "executor/cuda/cuda_error.h"
#include "executor/cuda/cuda_ops.h"
#include "executor/cuda/device_transport.h"
#include "executor/cuda/gpu_list.h"
#include "executor/cuda/nccl_api.h"
#include "executor/cuda/nccl_transport.h"
#include "executor/cuda/pass_ranges.h"
#include "executor/cuda/plan_needs.h"
#include "executor/cuda/rank_places.h"
#include "executor/model/training.h"
#include "executor/transport/local.h"

#include <cstdlib>

namespace pw::exec::cuda {

namespace {

enum class Wanted
{
    Any,
    Copies,
    Nccl
};

Result<Wanted> wantedTransport()
{
    const char* text = std::getenv("PW_CUDA_TRANSPORT");
    const std::string_view wanted = text == nullptr ? "" : text;
    if (wanted.empty())
        return Wanted::Any;
    if (wanted == "copies")
        return Wanted::Copies;
    if (wanted == "nccl")
        return Wanted::Nccl;
    return fail(ErrorCode::BadValue, "PW_CUDA_TRANSPORT is '%1', not copies or nccl", wanted);
}

/// The GPUs of a run, opened: everything that is done before a rank starts.
class Setup
{
public:
    /// @param gpus  that may be used
    /// @param stop  ends all waits
    /// @throws DeviceError
    Setup(const RunPlan& plan, const RunClock& clock, const std::vector<int>& gpus,
          const Stop& stop, Ticks patience)
        : m_plan(plan)
        , m_clock(clock)
        , m_patience(patience)
        , m_places(placeRanks(plan.schedule.devices(), static_cast<int>(gpus.size())))
    {
        for (const RankPlace& place : m_places) {
            const int number = gpus[static_cast<std::size_t>(place.gpu)];
            const bool first = static_cast<std::size_t>(place.gpu) == m_gpus.size();
            if (first)
                open(place, number);
            const Gpu& gpu = m_gpus.back();
            m_devices.push_back(
                std::make_shared<RankDevice>(gpu.shares, gpu.events, gpu.time, place.share));
            RankDevice& device = *m_devices.back();
            device.stop = &stop;
            device.beginIteration(noIteration, patience);
            if (!first)
                continue;
            const GpuClock aligned =
                gpu.time->at(noIteration, device.compute[0], device.wait(patience));
            m_notes.push_back("times of GPU " + std::to_string(number) +
                              " are aligned with the host's clock at every iteration; before the "
                              "first to within " +
                              std::to_string(aligned.reading.uncertainty) + " ns");
        }
        if (m_gpus.size() > 1) {
            const std::vector<int> used(gpus.begin(),
                                        gpus.begin() + static_cast<std::ptrdiff_t>(m_gpus.size()));
            for (std::string& apart : openPeers(used))
                m_notes.push_back(std::move(apart));
        }
    }

    /// @error MemoryLimit  the plan needs more than is free
    Result<void> checkMemory() const
    {
        std::vector<Bytes> free;
        for (const Gpu& gpu : m_gpus) {
            check("cudaSetDevice", cudaSetDevice(gpu.shares->gpu()));
            std::size_t now = 0;
            std::size_t whole = 0;
            check("cudaMemGetInfo", cudaMemGetInfo(&now, &whole));
            free.push_back(static_cast<Bytes>(now));
        }
        const std::string shortage = memoryShortage(m_places, neededBytes(m_plan), free);
        if (shortage.empty())
            return {};
        return fail(ErrorCode::MemoryLimit, "%1, as predicted, without workspace", shortage);
    }

    /// Takes what the ranks need of the driver and starts their libraries: before they are
    /// connected, since much of it waits for the whole device.
    /// @throws DeviceError
    void prepare()
    {
        const Products products = m_plan.model.tf32 ? Products::Tf32 : Products::Full;
        for (const RankId rank : Ids<RankId>(m_devices.size())) {
            const std::shared_ptr<RankDevice>& own = device(rank);
            const RankPlace& place = m_places[rank.index()];
            own->enter();
            std::size_t now = 0;
            std::size_t whole = 0;
            check("cudaMemGetInfo", cudaMemGetInfo(&now, &whole));
            const auto sharers = static_cast<Bytes>(place.shares - place.share);
            // A part stays for libraries and for what was not foreseen.
            const Bytes most = static_cast<Bytes>(now) / sharers / 10 * 9;
            m_ops.push_back(makeCudaOps(own, m_plan.model.element, m_patience, products));
            reserveFor(m_plan, rank, most, *own->memory);
            reserveHost(m_plan, rank, *own);
        }
    }

    /// @pre    prepared
    /// @throws DeviceError
    Result<std::unique_ptr<Transport>> transport()
    {
        const Result<Wanted> wanted = wantedTransport();
        if (!wanted)
            return fail(wanted.error());
        auto host = std::make_unique<LocalTransport>(
            m_plan, m_clock, m_plan.modelledLinks ? LinkTimes::Real : LinkTimes::None);
        const bool single = m_gpus.size() == 1;
        const Result<const NcclApi*> nccl = loadNccl();
        if (*wanted == Wanted::Nccl && !nccl)
            return fail(nccl.error());
        if (*wanted == Wanted::Nccl && single && m_devices.size() > 1) {
            m_notes.push_back("NCCL takes one rank a GPU only: each connection sends to itself, "
                              "which is a copy by NCCL's kernels and shows no network");
            return std::make_unique<DeviceTransport>(
                m_plan, std::move(host), makeNcclToItself(m_plan, m_gpus[0].shares->gpu()),
                m_devices);
        }
        const bool oneEach = m_gpus.size() == m_devices.size();
        if (!single && oneEach && nccl && *wanted != Wanted::Copies)
            return std::make_unique<NcclTransport>(m_plan, std::move(host), m_devices, Broadcast{},
                                                   m_patience);
        if (!single)
            m_notes.push_back(!nccl ? "GPUs copy from each other: " + nccl.error().message
                              : oneEach
                                  ? "GPUs copy from each other, as asked for"
                                  : "GPUs copy from each other: NCCL takes one rank a GPU only");
        return std::make_unique<DeviceTransport>(m_plan, std::move(host), makeCopies(), m_devices);
    }

    const std::shared_ptr<RankDevice>& device(RankId rank) const { return m_devices[rank.index()]; }
    /// What `prepare` made of a rank; once, on the rank's thread.
    std::unique_ptr<Ops> takeOps(RankId rank) { return std::move(m_ops[rank.index()]); }
    std::vector<RunDevice> describe() const
    {
        std::vector<RunDevice> devices;
        for (const RankPlace& place : m_places) {
            RunDevice device =
                describeGpu(m_gpus[static_cast<std::size_t>(place.gpu)].shares->gpu());
            if (place.shares > 1) {
                device.name += ", part " + std::to_string(place.share + 1) + " of " +
                               std::to_string(place.shares);
                device.memory /= place.shares;
            }
            devices.push_back(std::move(device));
        }
        return devices;
    }
    const std::vector<std::string>& notes() const { return m_notes; }

private:
    struct Gpu
    {
        std::shared_ptr<GpuShares> shares;
        std::shared_ptr<EventPool> events;
        std::shared_ptr<GpuTime> time;
    };

    void open(const RankPlace& place, int number)
    {
        Gpu gpu;
        gpu.shares = std::make_shared<GpuShares>(number, place.shares);
        gpu.events = std::make_shared<EventPool>(number);
        gpu.time = std::make_shared<GpuTime>(gpu.events, m_clock);
        if (!gpu.shares->note().empty())
            m_notes.push_back(gpu.shares->note());
        m_gpus.push_back(std::move(gpu));
    }

    const RunPlan& m_plan;
    const RunClock& m_clock;
    Ticks m_patience;
    std::vector<RankPlace> m_places;
    std::vector<Gpu> m_gpus;
    std::vector<std::shared_ptr<RankDevice>> m_devices;
    std::vector<std::unique_ptr<Ops>> m_ops; ///< by rank, until the rank takes it
    std::vector<std::string> m_notes;
};

class CudaBackend final : public Backend
{
public:
    BackendInfo info() const override
    {
        GpuList gpus = findGpus();
        BackendInfo info;
        info.name = "cuda";
        info.summary = "CUDA: " + librariesText();
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
        try {
            return runOn(here.numbers, plan, sink, stop);
        } catch (const DeviceError& failure) {
            return fail(ErrorCode::Fault, failure.what());
        }
    }

private:
    /// What the threads of ranks use.
    struct Running
    {
        Running(const RunPlan& plan, const std::vector<int>& gpus, const Stop& stop, Ticks patience)
            : setup(plan, clock, gpus, stop, patience)
        {
        }
        RunClock clock;
        Setup setup;
        std::unique_ptr<Transport> transport{};
    };

    Result<RunFigures> runOn(const std::vector<int>& gpus, const RunPlan& plan, RunSink& sink,
                             const Stop& stop)
    {
        const Ticks patience = patienceOf(plan);
        auto running = std::make_unique<Running>(plan, gpus, stop, patience);
        Setup& setup = running->setup;
        if (const Result<void> fits = setup.checkMemory(); !fits)
            return fail(fits.error());
        setup.prepare();
        Result<std::unique_ptr<Transport>> transport = setup.transport();
        if (!transport)
            return fail(transport.error());
        running->transport = std::move(*transport);
        const auto worker = [&setup, &plan, patience, listener = snapshotListener()](
                                RankId rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
            const std::shared_ptr<RankDevice>& device = setup.device(rank);
            device->enter();
            return withRanges(makeTrainingWorker(plan, rank, setup.takeOps(rank), listener), rank,
                              device, patience);
        };
        RunEnvironment environment = environmentHere("cuda", running->transport->name());
        environment.driver = librariesText() + "; " + environment.driver;
        environment.devices = setup.describe();
        Result<RunFigures> figures = runRanks(plan, worker, *running->transport, running->clock,
                                              environment, sink, stop, setup.notes());
        // A rank that hangs in its device still uses all of it.
        if (ranksLeftBehind())
            static_cast<void>(running.release());
        return figures;
    }
};

} // namespace

std::unique_ptr<Backend> makeCudaBackend()
{
    return std::make_unique<CudaBackend>();
}

} // namespace pw::exec::cuda
