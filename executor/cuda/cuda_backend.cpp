// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_backend.h"

#include "core/base/text.h"
#include "core/sim/memory.h"
#include "executor/api/environment.h"
#include "executor/api/runner.h"
#include "executor/cuda/cuda_error.h"
#include "executor/cuda/cuda_ops.h"
#include "executor/cuda/device_transport.h"
#include "executor/cuda/nccl_api.h"
#include "executor/cuda/nccl_transport.h"
#include "executor/cuda/pass_ranges.h"
#include "executor/cuda/rank_places.h"
#include "executor/model/training.h"
#include "executor/transport/local.h"

#include <algorithm>
#include <cstdlib>

namespace pw::exec::cuda {

namespace {

/// "13.0" of 13000.
std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version / 10 % 100);
}

std::string librariesText()
{
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    const Result<const NcclApi*> nccl = loadNccl();
    return (driver == 0 ? "no driver" : "driver of CUDA " + versionText(driver)) + ", runtime " +
           versionText(runtime) + ", " + (nccl ? "NCCL " + (*nccl)->version() : "no NCCL");
}

/// What keeps a GPU from being used; empty where nothing does.
std::string missingText(cudaError_t status, int count)
{
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (driver == 0)
        return "no NVIDIA driver is loaded here (libcuda.so.1); a machine with an NVIDIA GPU and "
               "a driver of CUDA " +
               versionText(runtime / 1000 * 1000) + " or later brings it";
    if (status == cudaErrorInsufficientDriver)
        return "the NVIDIA driver is of CUDA " + versionText(driver) + ", older than the " +
               versionText(runtime / 1000 * 1000) + " that is needed";
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
        return "the NVIDIA driver sees no GPU (CUDA_VISIBLE_DEVICES may hide them)";
    return status == cudaSuccess ? std::string() : errorText("cudaGetDeviceCount", status);
}

RunDevice describeGpu(int gpu)
{
    cudaDeviceProp properties{};
    check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, gpu));
    return {std::string(properties.name) + " (compute capability " +
                std::to_string(properties.major) + "." + std::to_string(properties.minor) + ", " +
                std::to_string(properties.multiProcessorCount) + " multiprocessors)",
            static_cast<Bytes>(properties.totalGlobalMem)};
}

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
    return fail(ErrorCode::BadValue,
                "PW_CUDA_TRANSPORT is '" + std::string(wanted) + "', not copies or nccl");
}

/// The most bytes that each rank is expected to hold at a time.
std::vector<Bytes> predictedBytes(const RunPlan& plan)
{
    std::vector<Bytes> bytes(static_cast<std::size_t>(plan.schedule.devices()));
    const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
    for (std::size_t rank = 0; simulated && rank < bytes.size(); ++rank) {
        for (const MemoryPoint& point :
             memoryCurve(plan.schedule, plan.costs, *simulated, static_cast<int>(rank)))
            bytes[rank] = std::max(bytes[rank], point.total());
    }
    return bytes;
}

/// The GPUs of a run, opened: everything that is done before a rank starts.
class Setup
{
public:
    /// @throws DeviceError
    Setup(const RunPlan& plan, const RunClock& clock, int gpus)
        : m_plan(plan)
        , m_clock(clock)
        , m_places(placeRanks(plan.schedule.devices(), gpus))
    {
        for (const RankPlace& place : m_places) {
            if (static_cast<std::size_t>(place.gpu) == m_gpus.size())
                open(place);
            const Gpu& gpu = m_gpus.back();
            m_devices.push_back(
                std::make_shared<RankDevice>(gpu.shares, gpu.events, gpu.clock, place.share));
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
        const std::string shortage = memoryShortage(m_places, predictedBytes(m_plan), free);
        if (shortage.empty())
            return {};
        return fail(ErrorCode::MemoryLimit, shortage + ", as predicted, without workspace");
    }

    /// @throws DeviceError
    Result<std::unique_ptr<Transport>> transport(Ticks patience)
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
                                                   patience);
        if (!single)
            m_notes.push_back(!nccl ? "GPUs copy from each other: " + nccl.error().message
                              : oneEach
                                  ? "GPUs copy from each other, as asked for"
                                  : "GPUs copy from each other: NCCL takes one rank a GPU only");
        return std::make_unique<DeviceTransport>(m_plan, std::move(host), makeCopies(), m_devices);
    }

    const std::shared_ptr<RankDevice>& device(int rank) const
    {
        return m_devices[static_cast<std::size_t>(rank)];
    }
    std::vector<RunDevice> describe() const
    {
        std::vector<RunDevice> devices;
        for (const RankPlace& place : m_places) {
            RunDevice device = describeGpu(place.gpu);
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
        GpuClock clock;
    };

    void open(const RankPlace& place)
    {
        Gpu gpu;
        gpu.shares = std::make_shared<GpuShares>(place.gpu, place.shares);
        gpu.events = std::make_shared<EventPool>(place.gpu);
        gpu.clock = alignClock(*gpu.events, gpu.shares->makeStream(0, false), m_clock);
        if (!gpu.shares->note().empty())
            m_notes.push_back(gpu.shares->note());
        m_notes.push_back("times of GPU " + std::to_string(place.gpu) +
                          " count from one event, which lies on the host's clock to within " +
                          std::to_string(gpu.clock.uncertainty) + " ns");
        m_gpus.push_back(std::move(gpu));
    }

    const RunPlan& m_plan;
    const RunClock& m_clock;
    std::vector<RankPlace> m_places;
    std::vector<Gpu> m_gpus;
    std::vector<std::shared_ptr<RankDevice>> m_devices;
    std::vector<std::string> m_notes;
};

class CudaBackend final : public Backend
{
public:
    BackendInfo info() const override
    {
        BackendInfo info;
        info.name = "cuda";
        int count = 0;
        const cudaError_t status = cudaGetDeviceCount(&count);
        cudaGetLastError();
        info.summary = "CUDA: " + librariesText();
        info.missing = missingText(status, count);
        info.available = info.missing.empty();
        try {
            for (int gpu = 0; info.available && gpu < count; ++gpu)
                info.devices.push_back(describeGpu(gpu));
        } catch (const DeviceError& failure) {
            info.available = false;
            info.missing = failure.what();
        }
        if (const Result<const NcclApi*> nccl = loadNccl(); !nccl)
            info.notes.push_back(nccl.error().message + "; several GPUs then copy directly");
        info.notes.emplace_back("more ranks than GPUs cut each GPU into parts with "
                                "multiprocessors of their own (green contexts), where it can");
        return info;
    }

    Result<RunFigures> run(const RunPlan& plan, RunSink& sink, const Stop& stop) override
    {
        const BackendInfo here = info();
        if (!here.available)
            return fail(ErrorCode::BadValue, "the backend cuda is not available: " + here.missing);
        try {
            return runOn(static_cast<int>(here.devices.size()), plan, sink, stop);
        } catch (const DeviceError& failure) {
            return fail(ErrorCode::Fault, failure.what());
        }
    }

private:
    /// What the threads of ranks use.
    struct Running
    {
        Running(const RunPlan& plan, int gpus)
            : setup(plan, clock, gpus)
        {
        }
        RunClock clock;
        Setup setup;
        std::unique_ptr<Transport> transport{};
    };

    Result<RunFigures> runOn(int gpus, const RunPlan& plan, RunSink& sink, const Stop& stop)
    {
        auto running = std::make_unique<Running>(plan, gpus);
        Setup& setup = running->setup;
        if (const Result<void> fits = setup.checkMemory(); !fits)
            return fail(fits.error());
        const Ticks patience = plan.patience > 0 ? plan.patience : defaultPatience(predicted(plan));
        Result<std::unique_ptr<Transport>> transport = setup.transport(patience);
        if (!transport)
            return fail(transport.error());
        running->transport = std::move(*transport);
        const auto worker = [&setup, &plan, patience, listener = snapshotListener()](
                                int rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
            const std::shared_ptr<RankDevice>& device = setup.device(rank);
            device->enter();
            return withRanges(makeTrainingWorker(plan, rank,
                                                 makeCudaOps(device, plan.model.element, patience),
                                                 listener),
                              rank, device);
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

    static Ticks predicted(const RunPlan& plan)
    {
        const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
        return simulated ? simulated->makespan : 0;
    }
};

} // namespace

std::unique_ptr<Backend> makeCudaBackend()
{
    return std::make_unique<CudaBackend>();
}

} // namespace pw::exec::cuda
