// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/gpu_ranks.h"

#include "core/base/try.h"
#include "executor/cuda/cuda_error.h"
#include "executor/cuda/cuda_ops.h"
#include "executor/cuda/gpu_list.h"
#include "executor/cuda/nccl_api.h"
#include "executor/cuda/nccl_pool.h"
#include "executor/cuda/nccl_transport.h"
#include "executor/cuda/plan_needs.h"
#include "executor/transport/local.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

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

} // namespace

GpuRanks::GpuRanks(GpuUse use, const Stop& stop, Ticks patience)
    : m_use(std::move(use))
    , m_places(placeRanks(m_use.ranks, static_cast<int>(m_use.gpus.size())))
{
    for (const RankPlace& place : m_places) {
        const int number = m_use.gpus[static_cast<std::size_t>(place.gpu)];
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
        const GpuClock aligned = gpu.time->at(noIteration, device.compute(), device.wait(patience));
        m_notes.push_back("times of GPU " + std::to_string(number) +
                          " are aligned with the host's clock at every iteration; before the "
                          "first to within " +
                          std::to_string(aligned.reading.uncertainty) + " ns");
    }
    for (const Gpu& gpu : m_gpus)
        gpu.shares->beside().count(&GpuMemory::contexts, gpu.shares->beside().freeAtStart(), 0, 0);
    if (m_gpus.size() > 1) {
        const std::vector<int> used(
            m_use.gpus.begin(), m_use.gpus.begin() + static_cast<std::ptrdiff_t>(m_gpus.size()));
        for (std::string& apart : openPeers(used))
            m_notes.push_back(std::move(apart));
    }
}

void GpuRanks::open(const RankPlace& place, int number)
{
    Gpu gpu;
    gpu.shares = std::make_shared<GpuShares>(number, place.shares);
    gpu.events = std::make_shared<EventPool>(number);
    gpu.time = std::make_shared<GpuTime>(gpu.events, m_clock);
    if (!gpu.shares->note().empty())
        m_notes.push_back(gpu.shares->note());
    m_gpus.push_back(std::move(gpu));
}

std::string GpuRanks::flashNote(int headSize) const
{
    const Type type = m_use.element == Element::BFloat16 ? Type::BFloat16 : Type::Float32;
    const bool everywhere = std::all_of(m_devices.begin(), m_devices.end(),
                                        [&](const std::shared_ptr<RankDevice>& device) {
                                            device->enter();
                                            return flashOnTensorCores(type, headSize);
                                        });
    if (everywhere)
        return "flash attention on tensor cores, by Pipewright's own kernels";
    return "flash attention on CUDA cores, by Pipewright's own kernels: it saves memory, and takes "
           "longer than attention by tensor cores. These take it in bfloat16, with heads of a "
           "multiple of 16 up to 128, on GPUs of compute capability 8.0 or higher";
}

Result<void> GpuRanks::beginRun(const RunPlan& plan, const Stop& stop, Ticks patience)
{
    m_runNotes.clear();
    for (const Gpu& gpu : m_gpus)
        gpu.shares->beside().beginRun();
    for (const std::shared_ptr<RankDevice>& device : m_devices) {
        device->enter();
        device->stop = &stop;
        device->patience = patience;
        device->useSecond(false);
        device->memory->beginRun();
        device->beginIteration(noIteration, patience);
    }
    if (plan.model.flashAttention)
        m_runNotes.push_back(flashNote(plan.model.headSize()));
    PW_DO(checkMemory(plan));
    const Products products = m_use.tf32 ? Products::Tf32 : Products::Full;
    const bool fresh = m_ops.empty();
    for (const RankId rank : Ids<RankId>(m_devices.size())) {
        const std::shared_ptr<RankDevice>& own = device(rank);
        own->enter();
        // A part stays for libraries and for what was not foreseen.
        const Bytes most = availableFor(rank) / 10 * 9;
        if (fresh) {
            const Bytes free = freeBytes(own->gpu->gpu());
            const Bytes reserved = own->memory->reserved();
            m_ops.push_back(makeCudaOps(own, m_use.element, patience, products));
            own->gpu->beside().count(&GpuMemory::workspaces, free, reserved,
                                     own->memory->reserved());
        }
        reserveFor(plan, rank, most, *own->memory);
        reserveHost(plan, rank, *own);
    }
    return {};
}

Result<void> GpuRanks::checkMemory(const RunPlan& plan) const
{
    std::vector<Bytes> free;
    for (const Gpu& gpu : m_gpus)
        free.push_back(freeBytes(gpu.shares->gpu()));
    for (std::size_t rank = 0; rank < m_places.size(); ++rank)
        free[static_cast<std::size_t>(m_places[rank].gpu)] += m_devices[rank]->memory->reserved();
    const std::string shortage = memoryShortage(m_places, neededBytes(plan), free);
    if (shortage.empty())
        return {};
    return fail(ErrorCode::MemoryLimit, "%1, as predicted, without workspace", shortage);
}

Bytes GpuRanks::availableFor(RankId rank) const
{
    const RankPlace& place = m_places[rank.index()];
    Bytes bytes = freeBytes(device(rank)->gpu->gpu());
    for (std::size_t other = rank.index(); other < m_places.size(); ++other) {
        if (m_places[other].gpu == place.gpu)
            bytes += m_devices[other]->memory->reserved();
    }
    return bytes / static_cast<Bytes>(place.shares - place.share);
}

Result<std::unique_ptr<Transport>> GpuRanks::transport(const RunPlan& plan)
{
    const Result<Wanted> wanted = wantedTransport();
    if (!wanted)
        return fail(wanted.error());
    auto host = std::make_unique<LocalTransport>(
        plan, m_clock, plan.modelledLinks ? LinkTimes::Real : LinkTimes::None);
    const bool single = m_gpus.size() == 1;
    const Result<const NcclApi*> nccl = loadNccl();
    if (*wanted == Wanted::Nccl && !nccl)
        return fail(nccl.error());
    if (*wanted == Wanted::Nccl && single && m_devices.size() > 1) {
        m_runNotes.push_back("NCCL takes one rank a GPU only: each connection sends to itself, "
                             "which is a copy by NCCL's kernels and shows no network");
        const Bytes free = freeBytes(m_gpus[0].shares->gpu());
        if (m_toItself == nullptr)
            m_toItself = makeNcclToItself(m_gpus[0].shares->gpu());
        m_toItself->serve(plan);
        m_gpus[0].shares->beside().count(&GpuMemory::connections, free, 0, 0);
        return std::make_unique<DeviceTransport>(plan, std::move(host), m_toItself, m_devices);
    }
    const bool oneEach = m_gpus.size() == m_devices.size();
    if (!single && oneEach && nccl && *wanted != Wanted::Copies)
        return connected(plan, std::move(host));
    if (!single)
        m_runNotes.push_back(!nccl ? "GPUs copy from each other: " + nccl.error().message
                             : oneEach
                                 ? "GPUs copy from each other, as asked for"
                                 : "GPUs copy from each other: NCCL takes one rank a GPU only");
    return std::make_unique<DeviceTransport>(plan, std::move(host), makeCopies(), m_devices);
}

/// By NCCL, and what that takes of the GPUs' memory.
std::unique_ptr<Transport> GpuRanks::connected(const RunPlan& plan, std::unique_ptr<Transport> host)
{
    struct Before
    {
        Bytes free = 0;
        Bytes reserved = 0;
    };
    std::vector<Before> before;
    for (const std::shared_ptr<RankDevice>& device : m_devices)
        before.push_back({freeBytes(device->gpu->gpu()), device->memory->reserved()});
    if (m_pool == nullptr)
        m_pool = std::make_shared<NcclPool>(**loadNccl());
    auto transport = std::make_unique<NcclTransport>(plan, std::move(host), m_devices, Broadcast{},
                                                     m_devices.front()->patience, m_pool);
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        GpuBeside& beside = m_devices[i]->gpu->beside();
        beside.count(&GpuMemory::connections, before[i].free, before[i].reserved,
                     m_devices[i]->memory->reserved());
    }
    return transport;
}

void GpuRanks::makeGraphsAnew()
{
    for (const std::shared_ptr<RankDevice>& device : m_devices) {
        device->enter();
        device->launches.forget();
    }
}

bool GpuRanks::endRun() noexcept
{
    try {
        for (const std::shared_ptr<RankDevice>& device : m_devices) {
            device->enter();
            device->awaitEnd(closingLimit);
            device->stop = nullptr;
        }
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

std::vector<RunDevice> GpuRanks::describe() const
{
    std::vector<RunDevice> devices;
    for (const RankPlace& place : m_places) {
        RunDevice device = describeGpu(m_gpus[static_cast<std::size_t>(place.gpu)].shares->gpu());
        if (place.shares > 1) {
            device.name +=
                ", part " + std::to_string(place.share + 1) + " of " + std::to_string(place.shares);
            device.memory /= place.shares;
        }
        devices.push_back(std::move(device));
    }
    return devices;
}

std::vector<std::string> GpuRanks::notes() const
{
    std::vector<std::string> all = m_notes;
    all.insert(all.end(), m_runNotes.begin(), m_runNotes.end());
    return all;
}

} // namespace pw::exec::cuda
