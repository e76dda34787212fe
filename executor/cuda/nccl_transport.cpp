// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_transport.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/nccl_api.h"
#include "executor/cuda/plan_needs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace pw::exec::cuda {

namespace {

/// What two ranks share a communicator for.
enum class LinkUse : bool
{
    Messages, ///< from the first to the second
    Sums      ///< of both
};

using LinkKey = std::tuple<LinkUse, int, int>;

/// One end of a communicator of two ranks.
struct LinkEnd
{
    ncclComm_t comm = nullptr;
    cudaStream_t stream = nullptr;
    std::atomic<bool> aborted{false};
};

/// A connection: end 0 is its first rank's, end 1 its second's.
struct Link
{
    std::array<LinkEnd, 2> ends;
    std::vector<std::int32_t> order; ///< messages, as the program sends them
};

/// Connections of a program in one order for all processes.
std::map<LinkKey, Link> linksOf(const Program& program)
{
    std::map<LinkKey, Link> links;
    for (const auto& instructions : program.ranks) {
        for (const Instruction& instruction : instructions) {
            if (instruction.kind != InstructionKind::Send)
                continue;
            const Message& message = program.messages[static_cast<std::size_t>(instruction.index)];
            links[{LinkUse::Messages, message.from, message.to}].order.push_back(instruction.index);
        }
    }
    for (const Reduction& reduction : program.reductions) {
        const auto [low, high] = std::minmax(reduction.ranks[0], reduction.ranks[1]);
        if (low != high)
            links.try_emplace({LinkUse::Sums, low, high});
    }
    return links;
}

} // namespace

struct NcclTransport::State
{
    State(const RunPlan& thePlan, std::vector<std::shared_ptr<RankDevice>> theDevices,
          Ticks thePatience)
        : plan(thePlan)
        , devices(std::move(theDevices))
        , patience(thePatience)
        , bytesOf(messageBytes(thePlan))
        , links(linksOf(thePlan.program))
    {
        const Result<const NcclApi*> loaded = loadNccl();
        if (!loaded)
            throw DeviceError(loaded.error().message);
        api = *loaded;
    }
    ~State();

    RankDevice* deviceOf(int rank) { return devices[static_cast<std::size_t>(rank)].get(); }
    const Message& messageOf(std::int32_t message) const
    {
        return plan.program.messages[static_cast<std::size_t>(message)];
    }
    void connect(const LinkKey& key, Link& link, const Broadcast& broadcast);
    void tryOut(const LinkKey& key, Link& link);
    /// A connection takes seconds where NCCL looks at a large machine for the first time.
    Ticks connecting() const { return std::max(patience, 60'000 * ticksPerMs); }

    const RunPlan& plan;
    std::vector<std::shared_ptr<RankDevice>> devices;
    Ticks patience;
    std::vector<Bytes> bytesOf; ///< by message
    const NcclApi* api = nullptr;
    std::map<LinkKey, Link> links;
};

NcclTransport::State::~State()
{
    for (auto& [key, link] : links) {
        for (LinkEnd& end : link.ends) {
            // An end that is destroyed waits for its work; one that a failed run left is cut off.
            if (end.comm != nullptr && !end.aborted)
                api->commAbort(end.comm);
        }
    }
}

void NcclTransport::State::connect(const LinkKey& key, Link& link, const Broadcast& broadcast)
{
    const std::array<int, 2> ranks = {std::get<1>(key), std::get<2>(key)};
    ncclUniqueId id{};
    if (deviceOf(ranks[0]) != nullptr)
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
        RankDevice* const device = deviceOf(ranks[static_cast<std::size_t>(i)]);
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
            api->settle(end.comm, deviceOf(ranks[i])->wait(connecting()), "ncclCommInitRankConfig");
    }
}

/// Sends a byte, or adds a float, so that the connection is set up.
void NcclTransport::State::tryOut(const LinkKey& key, Link& link)
{
    const bool sums = std::get<0>(key) == LinkUse::Sums;
    std::array<RankDevice*, 2> devicesOf = {deviceOf(std::get<1>(key)), deviceOf(std::get<2>(key))};
    std::array<std::optional<HeldMessage>, 2> memory;
    for (std::size_t i = 0; i < 2; ++i) {
        if (devicesOf[i] == nullptr)
            continue;
        devicesOf[i]->enter();
        cudaStream_t const stream = link.ends[i].stream;
        memory[i].emplace(*devicesOf[i]->memory, Bytes{sizeof(float)}, stream);
        check("cudaMemsetAsync", cudaMemsetAsync(memory[i]->data(), 0, sizeof(float), stream));
    }
    NcclGroup group(*api);
    for (std::size_t i = 0; i < 2; ++i) {
        const LinkEnd& end = link.ends[i];
        if (devicesOf[i] == nullptr)
            continue;
        void* const data = memory[i]->data();
        if (sums)
            api->check("ncclAllReduce",
                       api->allReduce(data, data, 1, ncclFloat32, ncclSum, end.comm, end.stream),
                       end.comm);
        else if (i == 0)
            api->check("ncclSend", api->send(data, 1, ncclUint8, 1, end.comm, end.stream),
                       end.comm);
        else
            api->check("ncclRecv", api->recv(data, 1, ncclUint8, 0, end.comm, end.stream),
                       end.comm);
    }
    group.end();
    for (std::size_t i = 0; i < 2; ++i) {
        if (devicesOf[i] == nullptr)
            continue;
        const LinkEnd& end = link.ends[i];
        const DeviceWait wait = devicesOf[i]->wait(connecting());
        api->settle(end.comm, wait, "the first use of an NCCL connection");
        devicesOf[i]->enter();
        await(*devicesOf[i]->events->record(end.stream), wait,
              "the end of the first use of an NCCL connection");
        memory[i].reset();
    }
}

namespace {

using State = NcclTransport::State;

class NcclEndpoint final : public Endpoint
{
public:
    NcclEndpoint(std::shared_ptr<State> state, int rank, std::unique_ptr<Endpoint> host)
        : m_state(std::move(state))
        , m_rank(rank)
        , m_host(std::move(host))
        , m_device(m_state->devices[static_cast<std::size_t>(rank)])
    {
        forOwnEnds([&](LinkEnd& end) {
            m_device->watch(this, end.stream);
            m_device->watch(this, [api = m_state->api, &end]() -> Result<void> {
                return end.aborted ? Result<void>() : api->health(end.comm);
            });
        });
    }
    ~NcclEndpoint() override;

    Result<void> send(std::int32_t message, int iteration, Packet packet) override;
    Result<void> post(std::int32_t message, int iteration) override
    {
        return m_host->post(message, iteration);
    }
    Result<Arrival> wait(std::int32_t message, int iteration, const Patience& patience) override;
    Result<void> waitPosted(std::int32_t message, int iteration, const Patience& patience) override
    {
        return m_host->waitPosted(message, iteration, patience);
    }
    Result<Arrival> exchange(std::int32_t reduction, int iteration, int peer, Packet own,
                             const Patience& patience) override;
    Result<void> barrier(const Patience& patience) override { return m_host->barrier(patience); }
    void abort() noexcept override;

private:
    /// A message that NCCL has been told to receive.
    struct Coming
    {
        std::shared_ptr<DevicePayload> payload;
        Mark start;
        Mark end;
    };

    /// Calls `what(end)` for every connection's end of this rank.
    template<typename What>
    void forOwnEnds(What what)
    {
        for (auto& [key, link] : m_state->links) {
            if (std::get<1>(key) == m_rank)
                what(link.ends[0]);
            if (std::get<2>(key) == m_rank)
                what(link.ends[1]);
        }
    }
    Link& linkOf(const Message& message)
    {
        return m_state->links.at({LinkUse::Messages, message.from, message.to});
    }
    Coming receive(std::int32_t message, const LinkEnd& end);
    void receiveUpTo(std::int32_t message, Link& link);

    std::shared_ptr<State> m_state;
    int m_rank;
    std::unique_ptr<Endpoint> m_host;
    std::shared_ptr<RankDevice> m_device;
    std::map<const Link*, std::size_t> m_next; ///< place in a connection's order
    std::map<std::int32_t, Coming> m_coming;   ///< by message
};

Result<void> NcclEndpoint::send(std::int32_t message, int iteration, Packet packet)
{
    const Message& what = m_state->messageOf(message);
    if (what.from != m_rank) // the host transport says it in words
        return m_host->send(message, iteration, std::move(packet));
    const NcclApi& api = *m_state->api;
    const LinkEnd& end = linkOf(what).ends[0];
    auto& payload = static_cast<DevicePayload&>(*packet.payload);
    waitFor(end.stream, payload.ready());
    api.check("ncclSend",
              api.send(payload.data(), static_cast<std::size_t>(payload.bytes()), ncclUint8, 1,
                       end.comm, end.stream),
              end.comm);
    // Enqueued only when NCCL says so: what is recorded before would come too early.
    api.settle(end.comm, m_device->wait(m_state->patience), "ncclSend");
    payload.setReadUntil(m_device->events->record(end.stream));
    return m_host->send(message, iteration, std::move(packet));
}

NcclEndpoint::Coming NcclEndpoint::receive(std::int32_t message, const LinkEnd& end)
{
    const NcclApi& api = *m_state->api;
    const Bytes bytes = m_state->bytesOf[static_cast<std::size_t>(message)];
    HeldMessage memory(*m_device->memory, bytes, end.stream);
    Coming coming;
    coming.start = m_device->marks.mark(end.stream);
    api.check("ncclRecv",
              api.recv(memory.data(), static_cast<std::size_t>(bytes), ncclUint8, 0, end.comm,
                       end.stream),
              end.comm);
    api.settle(end.comm, m_device->wait(m_state->patience), "ncclRecv");
    coming.end = m_device->marks.mark(end.stream);
    const std::shared_ptr<Event> there = m_device->events->record(end.stream);
    coming.payload = std::make_shared<DevicePayload>(m_device->memory, memory.data(), bytes, there);
    memory.surrender();
    return coming;
}

/// The program's order of sending is the order in which NCCL delivers.
void NcclEndpoint::receiveUpTo(std::int32_t message, Link& link)
{
    std::size_t& next = m_next[&link];
    while (m_coming.count(message) == 0) {
        const std::int32_t due = link.order[next];
        next = (next + 1) % link.order.size();
        m_coming.emplace(due, receive(due, link.ends[1]));
    }
}

Result<Arrival> NcclEndpoint::wait(std::int32_t message, int iteration, const Patience& patience)
{
    Result<Arrival> arrival = m_host->wait(message, iteration, patience);
    if (!arrival)
        return arrival;
    const Bytes sent = arrival->packet.payload->bytes();
    arrival->packet.payload.reset();
    receiveUpTo(message, linkOf(m_state->messageOf(message)));
    const auto came = m_coming.find(message);
    if (came->second.payload->bytes() != sent)
        return fail(ErrorCode::Fault, std::string(patience.what) + ": a message of " +
                                          std::to_string(sent) + " bytes came, not of " +
                                          std::to_string(came->second.payload->bytes()));
    arrival->start = came->second.start;
    arrival->end = came->second.end;
    arrival->packet.payload = std::move(came->second.payload);
    m_coming.erase(came);
    return arrival;
}

Result<Arrival> NcclEndpoint::exchange(std::int32_t reduction, int iteration, int peer, Packet own,
                                       const Patience& patience)
{
    // Both hold their own packet: the host transport only lets them meet.
    const std::shared_ptr<Payload> mine = own.payload;
    Result<Arrival> arrival =
        m_host->exchange(reduction, iteration, peer, std::move(own), patience);
    if (!arrival)
        return arrival;
    const NcclApi& api = *m_state->api;
    const auto [low, high] = std::minmax(m_rank, peer);
    Link& link = m_state->links.at({LinkUse::Sums, low, high});
    const LinkEnd& end = link.ends[m_rank == low ? 0 : 1];
    auto& payload = static_cast<DevicePayload&>(*mine);
    waitFor(end.stream, payload.ready());
    arrival->start = m_device->marks.mark(end.stream);
    api.check("ncclAllReduce",
              api.allReduce(payload.data(), payload.data(),
                            static_cast<std::size_t>(payload.bytes()) / sizeof(float), ncclFloat32,
                            ncclSum, end.comm, end.stream),
              end.comm);
    api.settle(end.comm, m_device->wait(m_state->patience), "ncclAllReduce");
    arrival->end = m_device->marks.mark(end.stream);
    // The sum stands where the own gradients were.
    auto sum = std::make_shared<DevicePayload>(m_device->memory, payload.data(), payload.bytes(),
                                               m_device->events->record(end.stream));
    payload.surrender();
    arrival->packet.payload = std::move(sum);
    arrival->packet.summed = true;
    return arrival;
}

void NcclEndpoint::abort() noexcept
{
    m_host->abort();
    forOwnEnds([&](LinkEnd& end) {
        if (end.comm != nullptr && !end.aborted.exchange(true))
            m_state->api->commAbort(end.comm);
    });
}

NcclEndpoint::~NcclEndpoint()
{
    m_device->forget(this);
    // A run that ended well left nothing under way: the ends can go without being cut off.
    forOwnEnds([&](LinkEnd& end) {
        if (end.comm == nullptr || end.aborted.exchange(true))
            return;
        const ncclResult_t done = m_state->api->commFinalize(end.comm);
        try {
            if (done == ncclInProgress)
                m_state->api->settle(end.comm, {nullptr, closingLimit}, "ncclCommFinalize");
            m_state->api->commDestroy(end.comm);
        } catch (const std::exception&) {
            m_state->api->commAbort(end.comm);
        }
    });
}

} // namespace

NcclTransport::NcclTransport(const RunPlan& plan, std::unique_ptr<Transport> host,
                             std::vector<std::shared_ptr<RankDevice>> devices,
                             const Broadcast& broadcast, Ticks patience)
    : m_host(std::move(host))
    , m_state(std::make_shared<State>(plan, std::move(devices), patience))
{
    for (auto& [key, link] : m_state->links) {
        m_state->connect(key, link, broadcast);
        m_state->tryOut(key, link);
    }
    for (const std::shared_ptr<RankDevice>& device : m_state->devices) {
        if (device != nullptr)
            device->memory->keep();
    }
}

NcclTransport::~NcclTransport() = default;

Result<std::unique_ptr<Endpoint>> NcclTransport::endpoint(int rank)
{
    Result<std::unique_ptr<Endpoint>> host = m_host->endpoint(rank);
    if (!host)
        return fail(host.error());
    return std::make_unique<NcclEndpoint>(m_state, rank, std::move(*host));
}

} // namespace pw::exec::cuda
