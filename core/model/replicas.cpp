// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/replicas.h"

#include "core/base/index.h"
#include "core/base/try.h"
#include "core/model/routes.h"

#include <algorithm>
#include <limits>
#include <string>

namespace pw {

namespace {

/// The one of the first replica, in replica r.
class ReplicaOf
{
public:
    ReplicaOf(const PipelineSpec& spec, int replicas, int replica)
        : m_spec(spec)
        , m_replicas(replicas)
        , m_replica(replica)
    {
    }

    Pass pass(Pass pass) const
    {
        pass.route = static_cast<std::uint8_t>(m_replica * m_spec.routeCount() + pass.route);
        if (pass.kind != PassKind::U)
            pass.microBatch = microBatch(pass.microBatch);
        return pass;
    }

    OrderEntry entry(OrderEntry entry) const
    {
        entry.pass = pass(entry.pass);
        if (entry.paired)
            entry.partner = pass(entry.partner);
        return entry;
    }

private:
    int microBatch(int j) const
    {
        const int m = m_spec.microBatches;
        return j / m * m * m_replicas + m_replica * m + j % m;
    }

    const PipelineSpec& m_spec;
    int m_replicas;
    int m_replica;
};

/// The first replica's names of what a replica of the whole has.
class WithinReplica
{
public:
    /// @param spec  of all replicas
    WithinReplica(const PipelineSpec& spec, int replica)
        : m_all(spec.microBatches)
        , m_one(spec.microBatches / replicasOf(spec))
        , m_routes(spec.routeCount() / replicasOf(spec))
        , m_replica(replica)
    {
    }

    int routes() const { return m_routes; }
    int microBatches() const { return m_one; }
    bool has(const Pass& pass) const { return pass.route / m_routes == m_replica; }

    Pass pass(Pass pass) const
    {
        pass.route = static_cast<std::uint8_t>(pass.route % m_routes);
        if (pass.kind != PassKind::U)
            pass.microBatch =
                pass.microBatch / m_all * m_one + pass.microBatch % m_all - m_replica * m_one;
        return pass;
    }

private:
    int m_all;
    int m_one;
    int m_routes;
    int m_replica;
};

Result<void> checkReplicas(const PipelineSpec& spec, int replicas)
{
    if (replicas < 1)
        return fail(ErrorCode::BadValue, "replicas is %1; at least 1", replicas);
    if (replicas > 1 && spec.updateRule == UpdateRule::Stashed)
        return fail(ErrorCode::BadValue,
                    "an update after every micro-batch would let %1 replicas drift apart; with one "
                    "update a step, as in pipedream-2bw, there can be replicas",
                    replicas);
    const int most = maxRoutes / spec.routeCount();
    if (replicas > most)
        return fail(ErrorCode::BadValue, "%1 replicas; at most %2 of this pipeline", replicas,
                    most);
    constexpr int highest = std::numeric_limits<int>::max();
    if (spec.devices > highest / replicas || spec.microBatches > highest / replicas)
        return fail(ErrorCode::TooLarge,
                    "%1 replicas of %2 devices and %3 micro-batches are too many to count",
                    replicas, spec.devices, spec.microBatches);
    return {};
}

PipelineSpec replicatedSpec(const PipelineSpec& spec, int replicas)
{
    PipelineSpec made = spec;
    made.devices = spec.devices * replicas;
    made.microBatches = spec.microBatches * replicas;
    made.routes.clear();
    made.routeOfMicroBatch.clear();
    for (int replica = 0; replica < replicas; ++replica) {
        for (Placement placement : spec.routes) {
            for (DeviceId& device : placement.deviceOfStage)
                device += replica * spec.devices;
            made.routes.push_back(std::move(placement));
        }
        for (int j = 0; j < spec.microBatches; ++j)
            made.routeOfMicroBatch.push_back(
                static_cast<std::uint8_t>(replica * spec.routeCount() + spec.route(j)));
    }
    return made;
}

/// Whether route n + q of the spec is its route n on the next `devices` devices, for all.
bool repeatsRoutes(const PipelineSpec& spec, int routes, int devices)
{
    for (int route = routes; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) != spec.device(route - routes, stage) + devices)
                return false;
        }
    }
    // The first replica stays on its own devices.
    for (int route = 0; route < routes; ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) >= devices)
                return false;
        }
    }
    return true;
}

} // namespace

Result<Schedule> withReplicas(const Schedule& schedule, int replicas)
{
    const PipelineSpec& spec = schedule.spec();
    PW_DO(checkReplicas(spec, replicas));
    if (replicas == 1)
        return schedule;
    PipelineSpec made = replicatedSpec(spec, replicas);
    PW_DO(check(made));
    const DeviceOrders plain = schedule.orders();
    DeviceOrders orders;
    orders.reserve(plain.size() * at(replicas));
    for (int replica = 0; replica < replicas; ++replica) {
        const ReplicaOf copy(spec, replicas, replica);
        for (const std::vector<OrderEntry>& order : plain) {
            std::vector<OrderEntry>& out = orders.emplace_back();
            out.reserve(order.size());
            for (const OrderEntry& entry : order)
                out.push_back(copy.entry(entry));
        }
    }
    return Schedule::make(std::move(made), orders);
}

Costs replicatedCosts(const Costs& costs, const PipelineSpec& spec, int replicas)
{
    Costs made = costs;
    const int p = spec.devices;
    if (!costs.memoryCap.empty()) {
        for (int replica = 1; replica < replicas; ++replica)
            made.memoryCap.insert(made.memoryCap.end(), costs.memoryCap.begin(),
                                  costs.memoryCap.end());
    }
    if (!costs.links.empty()) {
        Link slowest = costs.links.front();
        for (const Link& link : costs.links) {
            slowest.latency = std::max(slowest.latency, link.latency);
            const bool slower =
                link.bytesPerSecond > 0 &&
                (slowest.bytesPerSecond == 0 || link.bytesPerSecond < slowest.bytesPerSecond);
            if (slower)
                slowest.bytesPerSecond = link.bytesPerSecond;
        }
        const int all = p * replicas;
        made.links.assign(at(all) * at(all), slowest);
        for (int from = 0; from < all; ++from) {
            for (int to = 0; to < all; ++to) {
                if (from % p != to % p)
                    made.links[at(from) * at(all) + at(to)] =
                        costs.links[at(from % p) * at(p) + at(to % p)];
            }
        }
    }
    made.offload.cells.clear();
    for (int replica = 0; replica < replicas && !costs.offload.cells.empty(); ++replica) {
        const ReplicaOf copy(spec, replicas, replica);
        for (const Pass& cell : costs.offload.cells)
            made.offload.cells.push_back(copy.pass(cell));
    }
    std::sort(made.offload.cells.begin(), made.offload.cells.end());
    if (!costs.single.empty()) {
        made.single.clear();
        for (int replica = 0; replica < replicas; ++replica) {
            const ReplicaOf copy(spec, replicas, replica);
            for (const PassTime& one : costs.single)
                made.single.push_back({copy.pass(one.pass), one.time});
        }
        std::sort(made.single.begin(), made.single.end(),
                  [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
    }
    return made;
}

Result<Schedule> oneReplica(const Schedule& schedule, int replica)
{
    const PipelineSpec& spec = schedule.spec();
    const WithinReplica within(spec, replica);
    PipelineSpec made = spec;
    made.devices = spec.devices / replicasOf(spec);
    made.microBatches = within.microBatches();
    made.routes.resize(at(within.routes()));
    if (!made.routeOfMicroBatch.empty())
        made.routeOfMicroBatch.resize(at(made.microBatches));
    if (made.routes.size() == 1)
        made.routeOfMicroBatch.clear();
    const DeviceOrders all = schedule.orders();
    DeviceOrders orders(all.begin() + std::ptrdiff_t{made.devices} * replica,
                        all.begin() + std::ptrdiff_t{made.devices} * (replica + 1));
    for (std::vector<OrderEntry>& order : orders)
        for (OrderEntry& entry : order) {
            entry.pass = within.pass(entry.pass);
            if (entry.paired)
                entry.partner = within.pass(entry.partner);
        }
    return Schedule::make(std::move(made), orders);
}

Costs oneReplicaCosts(const Costs& costs, const Schedule& schedule, int replica)
{
    const PipelineSpec& spec = schedule.spec();
    const WithinReplica within(spec, replica);
    const std::size_t all = at(spec.devices), p = all / at(replicasOf(spec));
    Costs made = costs;
    made.memoryCap.resize(std::min(made.memoryCap.size(), p));
    if (!costs.links.empty()) {
        made.links.clear();
        for (std::size_t from = 0; from < p; ++from)
            made.links.insert(made.links.end(),
                              costs.links.begin() + static_cast<std::ptrdiff_t>(from * all),
                              costs.links.begin() + static_cast<std::ptrdiff_t>(from * all + p));
    }
    made.single.clear();
    for (const PassTime& one : costs.single)
        if (within.has(one.pass))
            made.single.push_back({within.pass(one.pass), one.time});
    made.offload.cells.clear();
    for (const Pass& cell : costs.offload.cells)
        if (within.has(cell))
            made.offload.cells.push_back(within.pass(cell));
    return made;
}

int replicasOf(const PipelineSpec& spec)
{
    const int routes = spec.routeCount();
    for (int replicas = routes; replicas > 1; --replicas) {
        if (routes % replicas == 0 && spec.devices % replicas == 0 &&
            repeatsRoutes(spec, routes / replicas, spec.devices / replicas))
            return replicas;
    }
    return 1;
}

} // namespace pw
