// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/device_transport.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/nccl_api.h"
#include "executor/model/ops.h"

#include <map>
#include <utility>

namespace pw::exec::cuda {

namespace {

class Copies final : public Carrier
{
public:
    std::string_view name() const override { return "device copies"; }
    void carry(RankId, RankId, void* target, const void* source, Bytes bytes,
               cudaStream_t stream) override
    {
        check("cudaMemcpyAsync", cudaMemcpyAsync(target, source, static_cast<std::size_t>(bytes),
                                                 cudaMemcpyDefault, stream));
    }
};

class NcclToItself final : public Carrier
{
public:
    NcclToItself(const NcclApi& api, int gpu)
        : m_api(api)
        , m_gpu(gpu)
    {
    }
    void serve(const RunPlan& plan) override
    {
        check("cudaSetDevice", cudaSetDevice(m_gpu));
        for (const Message& message : plan.program.messages)
            connect(message.from, message.to);
        for (const Reduction& reduction : plan.program.reductions) {
            connect(reduction.ranks[0], reduction.ranks[1]);
            connect(reduction.ranks[1], reduction.ranks[0]);
        }
    }
    ~NcclToItself() override
    {
        for (const auto& [link, comm] : m_comms)
            m_api.commDestroy(comm);
    }
    NcclToItself(const NcclToItself&) = delete;
    NcclToItself& operator=(const NcclToItself&) = delete;

    std::string_view name() const override { return "NCCL to itself"; }
    void carry(RankId from, RankId to, void* target, const void* source, Bytes bytes,
               cudaStream_t stream) override
    {
        ncclComm_t const comm = m_comms.at({from, to});
        const auto size = static_cast<std::size_t>(bytes);
        // Both in one group: NCCL takes a send to itself only together with its receive.
        NcclGroup group(m_api);
        m_api.check("ncclSend", m_api.send(source, size, ncclUint8, 0, comm, stream), comm);
        m_api.check("ncclRecv", m_api.recv(target, size, ncclUint8, 0, comm, stream), comm);
        group.end(comm);
    }
    Result<void> health(RankId to) const override
    {
        for (const auto& [link, comm] : m_comms) {
            if (link.second != to)
                continue;
            if (Result<void> good = m_api.health(comm); !good)
                return good;
        }
        return {};
    }

private:
    void connect(RankId from, RankId to)
    {
        if (from == to || m_comms.count({from, to}) > 0)
            return;
        ncclUniqueId id{};
        m_api.check("ncclGetUniqueId", m_api.getUniqueId(&id));
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        constexpr int fewBlocks = 2; // it is one small copy at a time
        config.blocking = 1;
        config.maxCTAs = fewBlocks;
        ncclComm_t comm = nullptr;
        m_api.check("ncclCommInitRankConfig", m_api.commInitRankConfig(&comm, 1, id, 0, &config));
        m_comms.emplace(std::pair(from, to), comm);
    }

    const NcclApi& m_api;
    int m_gpu;
    std::map<std::pair<RankId, RankId>, ncclComm_t> m_comms;
};

/// Shared by the endpoints; outlives the transport where a rank does.
struct Shared
{
    const RunPlan& plan;
    std::shared_ptr<Carrier> carrier;
};

class DeviceEndpoint final : public Endpoint
{
public:
    DeviceEndpoint(Shared shared, RankId rank, std::unique_ptr<Endpoint> host,
                   std::shared_ptr<RankDevice> device)
        : m_shared(std::move(shared))
        , m_rank(rank)
        , m_host(std::move(host))
        , m_device(std::move(device))
    {
        m_device->watch(this, [carrier = m_shared.carrier, rank] { return carrier->health(rank); });
    }
    ~DeviceEndpoint() override { m_device->forget(this); }

    Result<void> send(std::int32_t message, int iteration, Packet packet) override
    {
        return m_host->send(message, iteration, std::move(packet));
    }
    Result<void> post(std::int32_t message, int iteration) override
    {
        return m_host->post(message, iteration);
    }
    Result<Arrival> wait(std::int32_t message, int iteration, const Patience& patience) override
    {
        Result<Arrival> arrival = m_host->wait(message, iteration, patience);
        if (arrival)
            bring(m_shared.plan.program.messages[static_cast<std::size_t>(message)].from, *arrival);
        return arrival;
    }
    Result<void> waitPosted(std::int32_t message, int iteration, const Patience& patience) override
    {
        return m_host->waitPosted(message, iteration, patience);
    }
    Result<void> sendAgain(std::int32_t message, int iteration, Packet packet) override
    {
        return m_host->sendAgain(message, iteration, std::move(packet));
    }
    Result<Arrival> waitAgain(std::int32_t message, int iteration,
                              const Patience& patience) override
    {
        Result<Arrival> arrival = m_host->waitAgain(message, iteration, patience);
        if (arrival)
            bring(m_shared.plan.program.messages[static_cast<std::size_t>(message)].from, *arrival);
        return arrival;
    }
    Result<bool> hasCome(std::int32_t message, int iteration) override
    {
        return m_host->hasCome(message, iteration);
    }
    Result<Arrival> exchange(std::int32_t reduction, int iteration, RankId peer, Packet own,
                             const Patience& patience) override
    {
        Result<Arrival> arrival =
            m_host->exchange(reduction, iteration, peer, std::move(own), patience);
        if (arrival)
            bring(peer, *arrival);
        return arrival;
    }
    Result<Arrival> exchangeAgain(std::int32_t reduction, int iteration, RankId peer, Packet own,
                                  const Patience& patience) override
    {
        Result<Arrival> arrival =
            m_host->exchangeAgain(reduction, iteration, peer, std::move(own), patience);
        if (arrival)
            bring(peer, *arrival);
        return arrival;
    }
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
    void abort() noexcept override { m_host->abort(); }

private:
    /// Carries what lies in the sender's memory into this rank's own.
    void bring(RankId from, Arrival& arrival)
    {
        const std::shared_ptr<Payload> held = std::move(arrival.packet.payload);
        auto& theirs = static_cast<DevicePayload&>(*held);
        const Bytes bytes = theirs.bytes();
        cudaStream_t const stream = m_device->link;
        HeldMessage memory(*m_device->memory, bytes, stream);
        waitFor(stream, theirs.ready());
        arrival.start = m_device->marks.mark(stream);
        if (bytes > 0) // a shard of few numbers may have none
            m_shared.carrier->carry(from, m_rank, memory.data(), theirs.data(), bytes, stream);
        arrival.end = m_device->marks.mark(stream);
        const std::shared_ptr<Event> there = m_device->events->record(stream);
        theirs.setReadUntil(there);
        arrival.packet.payload =
            std::make_shared<DevicePayload>(m_device->memory, memory.data(), bytes, there);
        memory.surrender();
    }

    Shared m_shared;
    RankId m_rank;
    std::unique_ptr<Endpoint> m_host;
    std::shared_ptr<RankDevice> m_device;
};

} // namespace

std::unique_ptr<Carrier> makeCopies()
{
    return std::make_unique<Copies>();
}

std::unique_ptr<Carrier> makeNcclToItself(int gpu)
{
    const Result<const NcclApi*> api = loadNccl();
    if (!api)
        throw DeviceError(api.error().message);
    return std::make_unique<NcclToItself>(**api, gpu);
}

DeviceTransport::DeviceTransport(const RunPlan& plan, std::unique_ptr<Transport> host,
                                 std::shared_ptr<Carrier> carrier,
                                 std::vector<std::shared_ptr<RankDevice>> devices)
    : m_plan(plan)
    , m_host(std::move(host))
    , m_carrier(std::move(carrier))
    , m_devices(std::move(devices))
{
}

Result<std::unique_ptr<Endpoint>> DeviceTransport::endpoint(RankId rank)
{
    Result<std::unique_ptr<Endpoint>> host = m_host->endpoint(rank);
    if (!host)
        return fail(host.error());
    return std::make_unique<DeviceEndpoint>(Shared{m_plan, m_carrier}, rank, std::move(*host),
                                            m_devices[rank.index()]);
}

} // namespace pw::exec::cuda
