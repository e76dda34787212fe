// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_links.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/plan_needs.h"

#include <algorithm>
#include <optional>
#include <span>
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

} // namespace

NcclTransport::State::State(const RunPlan& thePlan,
                            std::vector<std::shared_ptr<RankDevice>> theDevices, Ticks thePatience)
    : plan(thePlan)
    , devices(std::move(theDevices))
    , patience(thePatience)
    , bytesOf(messageBytes(thePlan))
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
        for (LinkEnd& end : link.ends) {
            if (end.comm != nullptr && !end.aborted)
                all.add(end.comm);
        }
    }
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
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    constexpr int fewBlocks = 8; // a connection that waits holds few multiprocessors
    config.blocking = 0;
    config.maxCTAs = fewBlocks;
    NcclGroup group(*api);
    for (int i = 0; i < 2; ++i) {
        RankDevice* const device = gpuOf(ranks[static_cast<std::size_t>(i)]);
        if (device == nullptr)
            continue;
        LinkEnd& end = link.ends[static_cast<std::size_t>(i)];
        device->enter();
        end.stream = device->gpu->makeStream(0, true);
        api->check("ncclCommInitRankConfig", api->commInitRankConfig(&end.comm, 2, id, i, &config));
    }
    group.end();
    for (std::size_t i = 0; i < 2; ++i) {
        if (const LinkEnd& end = link.ends[i]; end.comm != nullptr)
            api->settle(end.comm, gpuOf(ranks[i])->wait(connecting()), "ncclCommInitRankConfig");
    }
}

/// Sends a byte, adds a float or swaps two bytes.
/// @param data  two bytes at least, for what goes and for what comes; a float
void NcclTransport::State::enqueueFirst(FirstUse use, const LinkEnd& end, int side,
                                        void* data) const
{
    const std::span<std::byte> bytes(static_cast<std::byte*>(data), 2);
    const auto none = bytes.subspan(0, 0);
    const auto one = bytes.subspan(0, 1);
    switch (use) {
    case FirstUse::Message:
        return api->swap(side == 0 ? one : none, side == 0 ? none : one, 1 - side, end.comm,
                         end.stream);
    case FirstUse::Sum:
        return api->check("ncclAllReduce",
                          api->allReduce(data, data, 1, ncclFloat32, ncclSum, end.comm, end.stream),
                          end.comm);
    case FirstUse::Swap:
        return api->swap(one, bytes.subspan(1), 1 - side, end.comm, end.stream);
    }
}

/// Uses a connection once for all that it is there for, so that it is set up.
void NcclTransport::State::tryOut(const LinkKey& key, Link& link)
{
    std::array<RankDevice*, 2> devicesOf = {gpuOf(std::get<1>(key)), gpuOf(std::get<2>(key))};
    std::array<std::optional<HeldMessage>, 2> memory;
    for (std::size_t i = 0; i < 2; ++i) {
        if (devicesOf[i] == nullptr)
            continue;
        devicesOf[i]->enter();
        cudaStream_t const stream = link.ends[i].stream;
        memory[i].emplace(*devicesOf[i]->memory, Bytes{sizeof(float)}, stream);
        check("cudaMemsetAsync", cudaMemsetAsync(memory[i]->data(), 0, sizeof(float), stream));
    }
    for (const FirstUse use : firstUses(link.work)) {
        NcclGroup group(*api);
        for (std::size_t i = 0; i < 2; ++i) {
            if (devicesOf[i] != nullptr)
                enqueueFirst(use, link.ends[i], static_cast<int>(i), memory[i]->data());
        }
        group.end();
        for (std::size_t i = 0; i < 2; ++i) {
            if (devicesOf[i] != nullptr)
                api->settle(link.ends[i].comm, devicesOf[i]->wait(connecting()),
                            "the first use of an NCCL connection");
        }
    }
    for (std::size_t i = 0; i < 2; ++i) {
        if (devicesOf[i] == nullptr)
            continue;
        devicesOf[i]->enter();
        await(*devicesOf[i]->events->record(link.ends[i].stream), devicesOf[i]->wait(connecting()),
              "the end of the first use of an NCCL connection");
        memory[i].reset();
    }
}

} // namespace pw::exec::cuda
