// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_transport.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/nccl_debug.h"
#include "executor/cuda/nccl_links.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::exec::cuda {

namespace {

using State = NcclTransport::State;

/// When what is to come has been made, where its sender is of this process; else null. NCCL's
/// kernel of the receiver begins no earlier then: it would only wait for the sender, on
/// multiprocessors that others could use, and its time would be no time of a transfer.
std::shared_ptr<Moment> madeAt(const Arrival& arrival)
{
    const auto* sent = dynamic_cast<const DevicePayload*>(arrival.packet.payload.get());
    return sent == nullptr ? nullptr : sent->ready();
}

/// Whether receives begin when the device is near to what needs them. A host runs ahead of its
/// device, and hears of a message long before it is made; of a sender in another process there is
/// no event to wait for.
bool receivesNear(const Broadcast& broadcast)
{
    const char* const wanted = std::getenv("PW_CUDA_RECEIVE");
    return broadcast != nullptr || (wanted != nullptr && std::string_view(wanted) == "near");
}

class NcclEndpoint final : public Endpoint
{
public:
    NcclEndpoint(std::shared_ptr<State> state, RankId rank, std::unique_ptr<Endpoint> host)
        : m_state(std::move(state))
        , m_rank(rank)
        , m_host(std::move(host))
        , m_device(m_state->devices[rank.index()])
    {
        forOwnEnds([&](LinkEnd& end) {
            m_device->watch(this, end.stream);
            m_device->watch(this, [api = m_state->api, &end]() -> Result<void> {
                return end.aborted ? Result<void>() : api->health(end.comm);
            });
        });
    }
    ~NcclEndpoint() override;

    void beginMoment() override { m_parting.emplace(*m_state->api); }
    Result<void> endMoment() override;
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
    Result<void> sendAgain(std::int32_t message, int iteration, Packet packet) override;
    Result<Arrival> waitAgain(std::int32_t message, int iteration,
                              const Patience& patience) override;
    Result<bool> hasCome(std::int32_t message, int iteration) override
    {
        return m_host->hasCome(message, iteration);
    }
    Result<Arrival> exchange(std::int32_t reduction, int iteration, RankId peer, Packet own,
                             const Patience& patience) override;
    Result<Arrival> exchangeAgain(std::int32_t reduction, int iteration, RankId peer, Packet own,
                                  const Patience& patience) override;
    Result<void> tellAll(int round, int iteration, double number) override
    {
        return m_host->tellAll(round, iteration, number);
    }
    Result<std::vector<double>> heardOfAll(int round, int iteration,
                                           const Patience& patience) override
    {
        return m_host->heardOfAll(round, iteration, patience);
    }
    Result<std::vector<std::optional<double>>> heardSoFar(int round, int iteration) override
    {
        return m_host->heardSoFar(round, iteration);
    }
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
    Link& linkOf(const Message& message, LinkUse use = LinkUse::Messages)
    {
        return m_state->links.at({use, message.from, message.to});
    }
    /// Results that leave together, as one group of NCCL: the host's parts follow when the device's
    /// have been enqueued.
    struct Parting
    {
        struct Leaving
        {
            std::int32_t message;
            int iteration;
            Packet packet;
            const LinkEnd* end;
        };
        explicit Parting(const NcclApi& api)
            : group(api)
        {
        }
        NcclGroup group;
        std::vector<Leaving> leaving;
    };

    void giveSend(DevicePayload& payload, const LinkEnd& end);
    void settleSend(DevicePayload& payload, const LinkEnd& end);
    void enqueueSend(DevicePayload& payload, const LinkEnd& end)
    {
        giveSend(payload, end);
        settleSend(payload, end);
    }
    Coming receive(std::int32_t message, const LinkEnd& end);
    void receiveUpTo(std::int32_t message, Link& link, const Arrival& arrival);
    Result<Arrival> taken(std::map<std::int32_t, Coming>& from, std::int32_t message,
                          Arrival arrival, const Patience& patience);
    Result<Arrival> exchanged(std::int32_t reduction, RankId peer,
                              const std::shared_ptr<Payload>& own, Result<Arrival> arrival);
    void sum(const LinkEnd& end, DevicePayload& mine, Arrival& arrival);
    void swap(const LinkEnd& end, int side, DevicePayload& mine, Arrival& arrival);

    std::shared_ptr<State> m_state;
    RankId m_rank;
    std::unique_ptr<Endpoint> m_host;
    std::shared_ptr<RankDevice> m_device;
    bool m_aborted = false;
    std::optional<Parting> m_parting;          ///< between the begin and the end of a moment
    std::map<const Link*, std::size_t> m_next; ///< place in a connection's order
    std::map<std::int32_t, Coming> m_coming;   ///< by message
    std::map<std::int32_t, Coming> m_comingAgain;
};

Result<void> NcclEndpoint::send(std::int32_t message, int iteration, Packet packet)
{
    const Message& what = m_state->messageOf(message);
    if (what.from != m_rank) // the host transport says it in words
        return m_host->send(message, iteration, std::move(packet));
    const LinkEnd& end = linkOf(what).ends[0];
    auto& payload = static_cast<DevicePayload&>(*packet.payload);
    if (m_parting) {
        giveSend(payload, end);
        m_parting->leaving.push_back({message, iteration, std::move(packet), &end});
        return {};
    }
    enqueueSend(payload, end);
    return m_host->send(message, iteration, std::move(packet));
}

Result<void> NcclEndpoint::endMoment()
{
    m_parting->group.end();
    std::vector<Parting::Leaving> leaving = std::move(m_parting->leaving);
    m_parting.reset();
    for (Parting::Leaving& one : leaving)
        settleSend(static_cast<DevicePayload&>(*one.packet.payload), *one.end);
    for (Parting::Leaving& one : leaving) {
        if (auto sent = m_host->send(one.message, one.iteration, std::move(one.packet)); !sent)
            return sent;
    }
    return {};
}

Result<void> NcclEndpoint::sendAgain(std::int32_t message, int iteration, Packet packet)
{
    const LinkEnd& end = linkOf(m_state->messageOf(message), LinkUse::Again).ends[0];
    enqueueSend(static_cast<DevicePayload&>(*packet.payload), end);
    return m_host->sendAgain(message, iteration, std::move(packet));
}

void NcclEndpoint::giveSend(DevicePayload& payload, const LinkEnd& end)
{
    const NcclApi& api = *m_state->api;
    waitFor(end.stream, payload.ready());
    api.check("ncclSend",
              api.send(payload.data(), static_cast<std::size_t>(payload.bytes()), ncclUint8, 1,
                       end.comm, end.stream),
              end.comm);
}

void NcclEndpoint::settleSend(DevicePayload& payload, const LinkEnd& end)
{
    // Enqueued only when NCCL says so: what is recorded before would come too early.
    m_state->api->settle(end.comm, m_device->wait(m_state->patience), "ncclSend");
    payload.setReadUntil(m_device->events->record(end.stream));
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

/// The program's order of sending is the order in which NCCL delivers. What was sent before the
/// message that arrives was made before it, too.
void NcclEndpoint::receiveUpTo(std::int32_t message, Link& link, const Arrival& arrival)
{
    if (m_coming.count(message) > 0)
        return;
    waitFor(link.ends[1].stream, madeAt(arrival));
    waitFor(link.ends[1].stream, m_device->nearly());
    std::size_t& next = m_next[&link];
    while (m_coming.count(message) == 0) {
        const std::int32_t due = link.work.messages[next];
        next = (next + 1) % link.work.messages.size();
        m_coming.emplace(due, receive(due, link.ends[1]));
    }
}

Result<Arrival> NcclEndpoint::wait(std::int32_t message, int iteration, const Patience& patience)
{
    Result<Arrival> arrival = m_host->wait(message, iteration, patience);
    if (!arrival)
        return arrival;
    receiveUpTo(message, linkOf(m_state->messageOf(message)), *arrival);
    return taken(m_coming, message, std::move(*arrival), patience);
}

Result<Arrival> NcclEndpoint::waitAgain(std::int32_t message, int iteration,
                                        const Patience& patience)
{
    Result<Arrival> arrival = m_host->waitAgain(message, iteration, patience);
    if (!arrival)
        return arrival;
    Link& link = linkOf(m_state->messageOf(message), LinkUse::Again);
    waitFor(link.ends[1].stream, madeAt(*arrival));
    waitFor(link.ends[1].stream, m_device->nearly());
    for (const std::int32_t due : link.again.upTo(message, iteration))
        m_comingAgain.insert_or_assign(due, receive(due, link.ends[1]));
    return taken(m_comingAgain, message, std::move(*arrival), patience);
}

/// The head of a message has come to the host; here is what NCCL brings.
Result<Arrival> NcclEndpoint::taken(std::map<std::int32_t, Coming>& from, std::int32_t message,
                                    Arrival arrival, const Patience& patience)
{
    const Bytes sent = arrival.packet.payload->bytes();
    arrival.packet.payload.reset();
    const auto came = from.find(message);
    if (came == from.end() || came->second.payload->bytes() != sent)
        return fail(ErrorCode::Fault, "%1: a message of %2 bytes came, not of %3", patience.what,
                    sent, came == from.end() ? 0 : came->second.payload->bytes());
    arrival.start = came->second.start;
    arrival.end = came->second.end;
    arrival.packet.payload = std::move(came->second.payload);
    from.erase(came);
    return arrival;
}

Result<Arrival> NcclEndpoint::exchange(std::int32_t reduction, int iteration, RankId peer,
                                       Packet own, const Patience& patience)
{
    // Both hold their own packet: the host transport only lets them meet.
    const std::shared_ptr<Payload> mine = own.payload;
    return exchanged(reduction, peer, mine,
                     m_host->exchange(reduction, iteration, peer, std::move(own), patience));
}

Result<Arrival> NcclEndpoint::exchangeAgain(std::int32_t reduction, int iteration, RankId peer,
                                            Packet own, const Patience& patience)
{
    const std::shared_ptr<Payload> mine = own.payload;
    return exchanged(reduction, peer, mine,
                     m_host->exchangeAgain(reduction, iteration, peer, std::move(own), patience));
}

/// Both sides have met on the host.
Result<Arrival> NcclEndpoint::exchanged(std::int32_t reduction, RankId peer,
                                        const std::shared_ptr<Payload>& own,
                                        Result<Arrival> arrival)
{
    if (!arrival)
        return arrival;
    const auto [low, high] = std::minmax(m_rank, peer);
    Link& link = m_state->links.at({LinkUse::Copies, low, high});
    const int side = m_rank == low ? 0 : 1;
    const LinkEnd& end = link.ends[static_cast<std::size_t>(side)];
    auto& payload = static_cast<DevicePayload&>(*own);
    waitFor(end.stream, payload.ready());
    waitFor(end.stream, madeAt(*arrival));
    const Reduction& what = m_state->plan.program.reductions[static_cast<std::size_t>(reduction)];
    if (what.kind == ReductionKind::Sum)
        sum(end, payload, *arrival);
    else
        swap(end, side, payload, *arrival);
    return arrival;
}

void NcclEndpoint::sum(const LinkEnd& end, DevicePayload& mine, Arrival& arrival)
{
    const NcclApi& api = *m_state->api;
    arrival.start = m_device->marks.mark(end.stream);
    api.check("ncclAllReduce",
              api.allReduce(mine.data(), mine.data(),
                            static_cast<std::size_t>(mine.bytes()) / sizeof(float), ncclFloat32,
                            ncclSum, end.comm, end.stream),
              end.comm);
    api.settle(end.comm, m_device->wait(m_state->patience), "ncclAllReduce");
    arrival.end = m_device->marks.mark(end.stream);
    // The sum stands where the own gradients were.
    auto both = std::make_shared<DevicePayload>(m_device->memory, mine.data(), mine.bytes(),
                                                m_device->events->record(end.stream));
    mine.surrender();
    arrival.packet.payload = std::move(both);
    arrival.packet.summed = true;
}

/// What arrived on the host says how much comes.
void NcclEndpoint::swap(const LinkEnd& end, int side, DevicePayload& mine, Arrival& arrival)
{
    const NcclApi& api = *m_state->api;
    const Bytes coming = arrival.packet.payload->bytes();
    const auto spanOf = [](void* data, Bytes bytes) {
        return std::span(static_cast<std::byte*>(data), static_cast<std::size_t>(bytes));
    };
    HeldMessage memory(*m_device->memory, coming, end.stream);
    arrival.start = m_device->marks.mark(end.stream);
    api.swap(spanOf(mine.data(), mine.bytes()), spanOf(memory.data(), coming), 1 - side, end.comm,
             end.stream);
    api.settle(end.comm, m_device->wait(m_state->patience), "a swap over NCCL");
    arrival.end = m_device->marks.mark(end.stream);
    const std::shared_ptr<Event> there = m_device->events->record(end.stream);
    mine.setReadUntil(there);
    arrival.packet.payload =
        std::make_shared<DevicePayload>(m_device->memory, memory.data(), coming, there);
    memory.surrender();
}

void NcclEndpoint::abort() noexcept
{
    m_aborted = true;
    m_parting.reset(); // or all that follows would only be put down for its group
    m_host->abort();
    const NcclAborts all(*m_state->api);
    forOwnEnds([&](LinkEnd& end) {
        if (end.comm != nullptr && !end.aborted.exchange(true))
            all.add(end.comm);
    });
}

NcclEndpoint::~NcclEndpoint()
{
    m_device->forget(this);
    // A run that ended well left nothing under way: the ends can go without being cut off, or serve
    // the next.
    if (!m_aborted)
        ++m_state->endedWell;
    forOwnEnds([&](LinkEnd& end) {
        const bool kept = m_state->pool != nullptr && !m_aborted;
        if (end.comm != nullptr && !kept && !end.aborted.exchange(true))
            closeComm(*m_state->api, end.comm, m_device->gpu->gpu());
    });
}

} // namespace

NcclTransport::NcclTransport(const RunPlan& plan, std::unique_ptr<Transport> host,
                             std::vector<std::shared_ptr<RankDevice>> devices,
                             const Broadcast& broadcast, Ticks patience,
                             std::shared_ptr<NcclPool> pool)
    : m_host(std::move(host))
    , m_state(std::make_shared<State>(plan, std::move(devices), patience, std::move(pool)))
{
    for (auto& [key, link] : m_state->links) {
        if (!m_state->takeKept(key, link))
            m_state->connect(key, link, broadcast);
        m_state->tryOut(key, link);
    }
    for (const std::shared_ptr<RankDevice>& device : m_state->devices) {
        if (device == nullptr)
            continue;
        device->memory->keep();
        if (receivesNear(broadcast))
            device->noteEntries();
    }
}

NcclTransport::~NcclTransport() = default;

std::vector<RunLog> NcclTransport::said()
{
    const std::vector<RankId> own = ranks();
    const bool alone = own.size() == 1 && m_state->plan.schedule.devices() > 1;
    return takeNcclLines(alone ? own.front() : RankId::none());
}

Result<std::unique_ptr<Endpoint>> NcclTransport::endpoint(RankId rank)
{
    Result<std::unique_ptr<Endpoint>> host = m_host->endpoint(rank);
    if (!host)
        return fail(host.error());
    return std::make_unique<NcclEndpoint>(m_state, rank, std::move(*host));
}

} // namespace pw::exec::cuda
