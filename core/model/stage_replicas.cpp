// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/stage_replicas.h"

#include "core/base/assert.h"
#include "core/base/index.h"
#include "core/base/try.h"
#include "core/model/replicas.h"
#include "core/model/routes.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace pw {

namespace {

Result<void> checkNumbers(const PipelineSpec& spec, std::span<const int> replicas)
{
    const auto wrong = [](const std::string& why) { return fail(ErrorCode::BadValue, why); };
    if (static_cast<int>(replicas.size()) != spec.stages())
        return wrong("replicas of " + std::to_string(replicas.size()) + " stages, and there are " +
                     std::to_string(spec.stages()) + "; say one number a stage");
    for (std::size_t stage = 0; stage < replicas.size(); ++stage) {
        if (replicas[stage] < 1 || replicas[stage] > maxRoutes)
            return wrong("stage " + std::to_string(stage) + " has " +
                         std::to_string(replicas[stage]) + " replicas; 1 to " +
                         std::to_string(maxRoutes) + " can be");
    }
    const int turn = stageReplicaTurn(replicas);
    if (turn > maxRoutes)
        return wrong("the replicas of the stages come back to where they began after more than " +
                     std::to_string(maxRoutes) +
                     " micro-batches, the least common multiple of their numbers; numbers that "
                     "divide one another, such as 2 and 4, need fewer");
    if (spec.microBatches % turn != 0)
        return wrong(std::to_string(spec.microBatches) +
                     " micro-batches a step are not a multiple of " + std::to_string(turn) +
                     ", after which the replicas have had the same number each; " +
                     std::to_string((spec.microBatches / turn + 1) * turn) + " are");
    return {};
}

/// The devices of a stage, over all routes.
int devicesOfStage(const PipelineSpec& spec, StageId stage)
{
    std::set<int> devices;
    for (const Placement& route : spec.routes)
        devices.insert(route.device(stage));
    return static_cast<int>(devices.size());
}

/// First device of every stage; behind the last one all devices.
std::vector<int> firstDevices(std::span<const int> replicas)
{
    std::vector<int> first = {0};
    for (const int count : replicas)
        first.push_back(first.back() + count);
    return first;
}

/// The spec of a pipeline whose stages have replicas: a route for each way through them.
PipelineSpec replicatedSpec(PipelineSpec made, std::span<const int> replicas)
{
    const int routes = stageReplicaTurn(replicas);
    const std::vector<int> first = firstDevices(replicas);
    made.devices = first.back();
    made.routes.clear();
    for (int route = 0; route < routes; ++route) {
        Placement placement;
        for (std::size_t stage = 0; stage < replicas.size(); ++stage)
            placement.deviceOfStage.push_back(DeviceId(first[stage] + route % replicas[stage]));
        made.routes.push_back(std::move(placement));
    }
    made.routeOfMicroBatch.clear();
    for (int j = 0; routes > 1 && j < made.microBatches; ++j)
        made.routeOfMicroBatch.push_back(static_cast<std::uint8_t>(j % routes));
    return made;
}

/// What one replica of a stage does that updates after every micro-batch.
std::vector<OrderEntry> replicaOrder(const PipelineSpec& spec, StageId stage, int replicas,
                                     int replica, int warmUp)
{
    std::vector<OrderEntry> order;
    const int own = spec.totalMicroBatches() / replicas;
    // Gradients come back from the last segment to the first.
    const auto run = [&](PassKind kind, int n) {
        const int j = n * replicas + replica;
        for (int q = 0; q < spec.segments(); ++q)
            order.push_back(single({kind, static_cast<std::uint8_t>(spec.route(j)), stage, j,
                                    kind == PassKind::F ? q : spec.segments() - 1 - q}));
    };
    const int ahead = std::min(warmUp, own);
    for (int n = 0; n < ahead; ++n)
        run(PassKind::F, n);
    for (int n = 0; n < own; ++n) {
        if (ahead + n < own)
            run(PassKind::F, ahead + n);
        run(PassKind::BW, n);
        // The updates of the round, of every copy that is here.
        for (int update = n * replicas; update < (n + 1) * replicas; ++update)
            for (int route = replica; route < spec.routeCount(); route += replicas)
                order.push_back(
                    single({PassKind::U, static_cast<std::uint8_t>(route), stage, update, 0}));
    }
    return order;
}

/// What one replica of a stage has of the order of a whole stage.
class ReplicaShare
{
public:
    ReplicaShare(const PipelineSpec& spec, StageId stage, int replicas, int replica)
        : m_spec(spec)
        , m_stage(stage)
        , m_replicas(replicas)
        , m_replica(replica)
    {
    }

    std::vector<OrderEntry> of(const std::vector<OrderEntry>& whole) const
    {
        std::vector<OrderEntry> order;
        for (const OrderEntry& entry : whole) {
            if (entry.pass.kind == PassKind::U) {
                appendUpdates(entry.pass.microBatch, order);
                continue;
            }
            const bool first = isOwn(entry.pass);
            const bool second = entry.paired && isOwn(entry.partner);
            if (first && second)
                order.push_back(overlapped(here(entry.pass), here(entry.partner)));
            else if (first || second)
                order.push_back(single(here(first ? entry.pass : entry.partner)));
        }
        return order;
    }

private:
    bool isOwn(const Pass& pass) const { return pass.microBatch % m_replicas == m_replica; }
    Pass here(Pass pass) const
    {
        pass.stage = m_stage;
        pass.route = static_cast<std::uint8_t>(m_spec.route(pass.microBatch));
        return pass;
    }
    /// Of every copy that is here.
    void appendUpdates(int update, std::vector<OrderEntry>& order) const
    {
        for (int route = m_replica; route < m_spec.routeCount(); route += m_replicas)
            order.push_back(
                single({PassKind::U, static_cast<std::uint8_t>(route), m_stage, update, 0}));
    }

    const PipelineSpec& m_spec;
    StageId m_stage;
    int m_replicas;
    int m_replica;
};

} // namespace

int stageReplicaTurn(std::span<const int> replicas)
{
    int turn = 1;
    for (const int count : replicas) {
        if (count > 0 && turn <= maxRoutes)
            turn = std::lcm(turn, std::min(count, maxRoutes + 1));
    }
    return turn;
}

Result<void> checkStageReplicas(const PipelineSpec& spec, std::span<const int> replicas)
{
    if (spec.routeCount() != 1 || spec.routes.front() != Placement::linear(spec.devices))
        return fail(ErrorCode::BadValue,
                    "stages have replicas of their own where each stands on a device of its own, "
                    "as in 1f1b, seq1f1b and pipedream; replicas of the whole pipeline are for all "
                    "families (--replicas)");
    return checkNumbers(spec, replicas);
}

std::vector<int> stageReplicasOf(const PipelineSpec& spec)
{
    std::vector<int> replicas;
    if (spec.routeCount() < 2)
        return replicas;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        replicas.push_back(devicesOfStage(spec, stage));
    // One stage with replicas is replicas of the pipeline.
    const bool whole = spec.updateRule != UpdateRule::Stashed && replicasOf(spec) > 1;
    if (whole || replicatedSpec(spec, replicas) != spec)
        replicas.clear();
    return replicas;
}

Result<Schedule> withStageReplicas(const PipelineSpec& spec, std::span<const int> replicas)
{
    if (spec.updateRule != UpdateRule::Stashed)
        return fail(ErrorCode::BadValue, "this order is that of stages that update after every "
                                         "micro-batch, as in pipedream; others keep their own");
    PW_DO(checkStageReplicas(spec, replicas));
    const std::vector<int> first = firstDevices(replicas);
    PipelineSpec made = replicatedSpec(spec, replicas);
    PW_DO(check(made));
    DeviceOrders orders;
    for (std::size_t stage = 0; stage < replicas.size(); ++stage) {
        const int count = replicas[stage];
        const int warmUp = (made.devices - 1 - first[stage]) / count;
        for (int replica = 0; replica < count; ++replica)
            orders.push_back(replicaOrder(made, StageId(stage), count, replica, warmUp));
    }
    return Schedule::make(std::move(made), orders);
}

Result<Schedule> onStageReplicas(const Schedule& line, std::span<const int> replicas)
{
    PipelineSpec spec = line.spec();
    PW_ASSERT(spec.updateRule != UpdateRule::Stashed && spec.routeCount() == 1 &&
              spec.routes.front() == Placement::linear(spec.devices));
    spec.routes = {Placement::linear(static_cast<int>(replicas.size()))};
    PW_DO(checkNumbers(spec, replicas));
    PipelineSpec made = replicatedSpec(std::move(spec), replicas);
    PW_DO(check(made));
    const DeviceOrders whole = line.orders();
    const std::vector<int> first = firstDevices(linePlaces(replicas, made.segments()));
    PW_ASSERT(line.devices() == first.back());
    DeviceOrders orders;
    for (std::size_t stage = 0; stage < replicas.size(); ++stage) {
        for (int replica = 0; replica < replicas[stage]; ++replica)
            orders.push_back(ReplicaShare(made, StageId(stage), replicas[stage], replica)
                                 .of(whole[at(first[stage])]));
    }
    return Schedule::make(std::move(made), orders);
}

std::vector<int> linePlaces(std::span<const int> replicas, int segments)
{
    std::vector<int> places(replicas.size());
    int most = 1;
    int behind = 0; // places of the line from the next stage on
    int devices = 0;
    for (std::size_t stage = replicas.size(); stage-- > 0;) {
        most = std::max(most, replicas[stage]);
        devices += replicas[stage];
        const int from = devices + (segments - 1) * (most - 1);
        places[stage] = from - behind;
        behind = from;
    }
    return places;
}

Costs lineCosts(const Costs& costs, std::span<const int> places)
{
    Costs made = costs;
    // Tables by stage or by cell; a stage's work is shared by its places in the line.
    const auto spread = [&](auto& table, bool shared) {
        auto whole = std::exchange(table, {});
        const std::size_t cells = whole.size() / places.size();
        for (std::size_t stage = 0; stage < places.size() && cells > 0; ++stage) {
            for (int place = 0; place < places[stage]; ++place) {
                for (std::size_t cell = 0; cell < cells; ++cell) {
                    auto value = whole[stage * cells + cell];
                    if constexpr (std::is_same_v<decltype(value), Ticks>)
                        value = shared ? value / places[stage] : value;
                    table.push_back(std::move(value));
                }
            }
        }
    };
    for (auto* times : {&made.forward, &made.backward, &made.weight, &made.fused, &made.recompute,
                        &made.pair, &made.update})
        spread(*times, true);
    for (auto* bytes : {&made.forwardMessage, &made.backwardMessage, &made.weights, &made.gradients,
                        &made.optimizer, &made.buffers, &made.workspace})
        spread(*bytes, false);
    spread(made.activation, false);
    if (!made.memoryCap.empty())
        spread(made.memoryCap, false);
    return made;
}

Result<Costs> stageReplicaCosts(const Costs& costs, std::span<const int> replicas)
{
    if (!costs.links.empty() || !costs.single.empty())
        return fail(
            ErrorCode::BadValue,
            "%1 say nothing of the further devices that replicas of stages take; leave them out",
            costs.links.empty() ? said("times of single passes")
                                : said("links of single pairs of devices"));
    if (!costs.offload.cells.empty())
        return fail(ErrorCode::BadValue,
                    "activations that go to the host's memory are of micro-batches of another "
                    "shape than that of replicas of stages; keep them on the device");
    Costs made = costs;
    if (!costs.memoryCap.empty()) {
        made.memoryCap.clear();
        for (std::size_t stage = 0; stage < replicas.size(); ++stage)
            made.memoryCap.insert(made.memoryCap.end(), at(replicas[stage]),
                                  costs.memoryCap[stage]);
    }
    return made;
}

} // namespace pw
