// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_links.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/helper_thread.h"
#include "executor/cuda/plan_needs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>

namespace pw::exec::cuda {

namespace {

std::map<LinkKey, Link> openLinks(const RunPlan& plan)
{
    std::map<LinkKey, Link> links;
    for (auto& [key, work] : linksOf(plan)) {
        Link& link = links[key];
        if (std::get<0>(key) == LinkUse::Again)
            link.again = AgainOrder(plan, work.messages);
        link.work = std::move(work);
    }
    return links;
}

std::vector<FirstUse> firstUses(const LinkWork& work)
{
    std::vector<FirstUse> uses;
    if (!work.messages.empty())
        uses.push_back(FirstUse::Message);
    if (work.sums)
        uses.push_back(FirstUse::Sum);
    if (work.swaps)
        uses.push_back(FirstUse::Swap);
    return uses;
}

/// An end of this process's, as a helper uses it.
struct OwnEnd
{
    int gpu = 0;
    ncclComm_t comm = nullptr;
    cudaStream_t stream = nullptr;
    void* data = nullptr; ///< two bytes at least, for what goes and for what comes; a float
};

/// Sends a byte, adds a float or swaps two bytes.
void enqueueFirst(const NcclApi& api, FirstUse use, const OwnEnd& end, int side)
{
    void* const data = end.data;
    const std::span<std::byte> bytes(static_cast<std::byte*>(data), 2);
    const auto none = bytes.subspan(0, 0);
    const auto one = bytes.subspan(0, 1);
    switch (use) {
    case FirstUse::Message:
        return api.swap(side == 0 ? one : none, side == 0 ? none : one, 1 - side, end.comm,
                        end.stream);
    case FirstUse::Sum:
        return api.check("ncclAllReduce",
                         api.allReduce(data, data, 1, ncclFloat32, ncclSum, end.comm, end.stream),
                         end.comm);
    case FirstUse::Swap:
        return api.swap(one, bytes.subspan(1), 1 - side, end.comm, end.stream);
    }
}

/// What a helper and who cuts it off know of each other. A communicator that is cut off is gone: a
/// call that is under way on it ends, but none may begin.
struct EndInUse
{
    std::atomic<bool> calling{false};
    std::atomic<bool> cut{false};

    /// @return  whether it was called
    template<typename Call>
    bool call(const Call& what)
    {
        const CallScope scope(*this);
        if (cut)
            return false;
        what();
        return true;
    }
    /// No call begins from here on. One that waits for its peer does not end, but has begun by
    /// then.
    void cutOff()
    {
        cut = true;
        constexpr Ticks toBegin = 500 * ticksPerMs;
        const RunClock clock;
        while (calling && clock.now() < toBegin)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }

private:
    struct CallScope
    {
        explicit CallScope(EndInUse& use)
            : in(use)
        {
            in.calling = true;
        }
        ~CallScope() { in.calling = false; }
        CallScope(const CallScope&) = delete;
        CallScope& operator=(const CallScope&) = delete;

        EndInUse& in;
    };
};

/// Waits for what a stream has to do. NCCL's kernels wait without an end for a peer that is gone,
/// and only the connections say so.
void awaitFirstUse(const NcclApi& api, const Link& link, const LinkEnd& end, RankDevice& device,
                   Ticks limit)
{
    constexpr const char* what = "the end of the first use of an NCCL connection";
    const std::shared_ptr<Event> ended = device.events->record(end.stream);
    const auto done = [&] {
        for (const LinkEnd& one : link.ends) {
            if (one.comm == nullptr)
                continue;
            if (const Result<void> good = api.health(one.comm); !good)
                throw DeviceError(good.error().message);
        }
        return ended->passed();
    };
    pollUntil(done, device.wait(limit), what);
    await(*ended, device.wait(limit), what); // says what has failed, if something has
}

/// Memory for the first use of an end, given back on its own GPU.
struct FirstMemory
{
    explicit FirstMemory(RankDevice& on, cudaStream_t stream)
        : device(on)
        , held(std::in_place, *on.memory, Bytes{sizeof(float)}, stream)
    {
    }
    ~FirstMemory()
    {
        static_cast<void>(cudaSetDevice(device.gpu->gpu()));
        held.reset();
    }
    FirstMemory(const FirstMemory&) = delete;
    FirstMemory& operator=(const FirstMemory&) = delete;

    RankDevice& device;
    std::optional<HeldMessage> held;
};

} // namespace

NcclTransport::State::State(const RunPlan& thePlan,
                            std::vector<std::shared_ptr<RankDevice>> theDevices, Ticks thePatience,
                            std::shared_ptr<NcclPool> thePool)
    : plan(thePlan)
    , devices(std::move(theDevices))
    , patience(thePatience)
    , bytesOf(messageBytes(thePlan))
    , pool(std::move(thePool))
    , links(openLinks(thePlan))
{
    const Result<const NcclApi*> loaded = loadNccl();
    if (!loaded)
        throw DeviceError(loaded.error().message);
    api = *loaded;
}

NcclTransport::State::~State()
{
    // An end that is destroyed waits for its work; one that a failed run left is cut off.
    const NcclAborts all(*api);
    for (auto& [key, link] : links) {
        const auto whole = [](const LinkEnd& end) { return end.comm != nullptr && !end.aborted; };
        if (pool != nullptr && endedWell == devices.size() && whole(link.ends[0]) &&
            whole(link.ends[1])) {
            const auto gpu = [this](RankId rank) { return gpuOf(rank)->gpu->gpu(); };
            pool->give(key, {{link.ends[0].comm, link.ends[1].comm},
                             {link.ends[0].stream, link.ends[1].stream},
                             {gpu(std::get<1>(key)), gpu(std::get<2>(key))},
                             std::move(link.tried)});
            continue;
        }
        for (LinkEnd& end : link.ends) {
            if (end.comm != nullptr && !end.aborted)
                all.add(end.comm);
        }
    }
}

bool NcclTransport::State::takeKept(const LinkKey& key, Link& link)
{
    std::optional<KeptLink> kept = pool == nullptr ? std::nullopt : pool->take(key);
    if (!kept)
        return false;
    for (std::size_t i = 0; i < 2; ++i) {
        link.ends[i].comm = kept->comms[i];
        link.ends[i].stream = kept->streams[i];
    }
    link.tried = std::move(kept->tried);
    return true;
}

void NcclTransport::State::connect(const LinkKey& key, Link& link, const Broadcast& broadcast)
{
    const std::array<RankId, 2> ranks = {std::get<1>(key), std::get<2>(key)};
    ncclUniqueId id{};
    if (gpuOf(ranks[0]) != nullptr)
        api->check("ncclGetUniqueId", api->getUniqueId(&id));
    if (broadcast) {
        const Result<void> told =
            broadcast(std::as_writable_bytes(std::span<char>(id.internal)), ranks[0]);
        if (!told)
            throw DeviceError("the NCCL id cannot be told: " + told.error().message);
    }
    // Calls of a communicator that does not block are made by a thread that NCCL starts for each.
    // One that blocks waits for its peer when it is made and first used, and a helper in the place
    // of this thread.
    const auto made = std::make_shared<std::array<std::atomic<ncclComm_t>, 2>>();
    std::vector<std::function<void()>> joins;
    const RankDevice* own = nullptr;
    for (std::size_t i = 0; i < 2; ++i) {
        RankDevice* const device = gpuOf(ranks[i]);
        if (device == nullptr)
            continue;
        own = device;
        device->enter();
        link.ends[i].stream = device->gpu->makeStream(0, true);
        joins.emplace_back([nccl = api, gpu = device->gpu->gpu(), id, i, made] {
            constexpr int fewBlocks = 8; // a connection that waits holds few multiprocessors
            ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
            config.blocking = 1;
            config.maxCTAs = fewBlocks;
            check("cudaSetDevice", cudaSetDevice(gpu));
            ncclComm_t comm = nullptr;
            nccl->check("ncclCommInitRankConfig",
                        nccl->commInitRankConfig(&comm, 2, id, static_cast<int>(i), &config));
            (*made)[i] = comm;
        });
    }
    if (own == nullptr)
        return;
    // What is still being made has no name yet: its thread is left behind, and with it the process.
    const auto cutOff = [nccl = api, made] {
        const NcclAborts all(*nccl);
        for (std::atomic<ncclComm_t>& comm : *made) {
            if (ncclComm_t const one = comm.exchange(nullptr); one != nullptr)
                all.add(one);
        }
    };
    onHelpers(std::move(joins), own->wait(connecting()), "ncclCommInitRankConfig", cutOff);
    for (std::size_t i = 0; i < 2; ++i)
        link.ends[i].comm = (*made)[i];
}

/// Uses a connection once for all that it is there for, so that it is set up.
void NcclTransport::State::tryOut(const LinkKey& key, Link& link)
{
    const std::vector<FirstUse> wanted = firstUses(link.work);
    const bool known = std::all_of(wanted.begin(), wanted.end(), [&link](FirstUse use) {
        return std::find(link.tried.begin(), link.tried.end(), use) != link.tried.end();
    });
    if (known)
        return;
    link.tried.insert(link.tried.end(), wanted.begin(), wanted.end());
    std::array<RankDevice*, 2> devicesOf = {gpuOf(std::get<1>(key)), gpuOf(std::get<2>(key))};
    std::array<std::optional<FirstMemory>, 2> memory;
    for (std::size_t i = 0; i < 2; ++i) {
        if (devicesOf[i] == nullptr)
            continue;
        devicesOf[i]->enter();
        cudaStream_t const stream = link.ends[i].stream;
        memory[i].emplace(*devicesOf[i], stream);
        check("cudaMemsetAsync",
              cudaMemsetAsync(memory[i]->held->data(), 0, sizeof(float), stream));
    }
    std::vector<std::function<void()>> uses;
    const auto inUse = std::make_shared<std::array<EndInUse, 2>>(); // a helper may be left behind
    const RankDevice* any = nullptr;
    for (std::size_t i = 0; i < 2; ++i) {
        if (devicesOf[i] == nullptr)
            continue;
        any = devicesOf[i];
        const OwnEnd end{any->gpu->gpu(), link.ends[i].comm, link.ends[i].stream,
                         memory[i]->held->data()};
        uses.emplace_back([nccl = api, end, i, wanted, inUse] {
            check("cudaSetDevice", cudaSetDevice(end.gpu));
            for (const FirstUse use : wanted) {
                const bool called =
                    (*inUse)[i].call([&] { enqueueFirst(*nccl, use, end, static_cast<int>(i)); });
                if (!called)
                    return;
            }
        });
    }
    if (any == nullptr)
        return;
    const auto cutOff = [this, &link, inUse] {
        for (EndInUse& end : *inUse)
            end.cutOff();
        const NcclAborts all(*api);
        for (LinkEnd& end : link.ends) {
            if (end.comm != nullptr && !end.aborted.exchange(true))
                all.add(end.comm);
        }
    };
    onHelpers(std::move(uses), any->wait(connecting()), "the first use of an NCCL connection",
              cutOff);
    for (std::size_t i = 0; i < 2; ++i) {
        if (devicesOf[i] == nullptr)
            continue;
        devicesOf[i]->enter();
        awaitFirstUse(*api, link, link.ends[i], *devicesOf[i], connecting());
        memory[i].reset();
    }
}

} // namespace pw::exec::cuda
