// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/stage_replicas.h"

#include "core/base/index.h"
#include "core/base/try.h"
#include "core/model/routes.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

namespace pw {

namespace {

Result<void> checkStageReplicas(const PipelineSpec& spec, std::span<const int> replicas)
{
    const auto wrong = [](const std::string& why) { return fail(ErrorCode::BadValue, why); };
    if (spec.updateRule != UpdateRule::Stashed || spec.routeCount() != 1 ||
        spec.routes.front() != Placement::linear(spec.devices))
        return wrong("stages have replicas of their own where each stands on a device of its own "
                     "and updates after every micro-batch, as in pipedream; replicas of the whole "
                     "pipeline are for all families (--replicas)");
    if (spec.segments() != 1)
        return wrong("replicated stages take whole micro-batches, and not " +
                     std::to_string(spec.segments()) + " segments of them");
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
                     " micro-batches a step are no multiple of " + std::to_string(turn) +
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

/// What one replica of a stage does.
std::vector<OrderEntry> replicaOrder(const PipelineSpec& spec, StageId stage, int replicas,
                                     int replica, int warmUp)
{
    std::vector<OrderEntry> order;
    const int own = spec.totalMicroBatches() / replicas;
    const auto pass = [&](PassKind kind, int n) {
        const int j = n * replicas + replica;
        return single({kind, static_cast<std::uint8_t>(spec.route(j)), stage, j, 0});
    };
    const int ahead = std::min(warmUp, own);
    for (int n = 0; n < ahead; ++n)
        order.push_back(pass(PassKind::F, n));
    for (int n = 0; n < own; ++n) {
        if (ahead + n < own)
            order.push_back(pass(PassKind::F, ahead + n));
        order.push_back(pass(PassKind::BW, n));
        // The updates of the round, of every copy that is here.
        for (int update = n * replicas; update < (n + 1) * replicas; ++update)
            for (int route = replica; route < spec.routeCount(); route += replicas)
                order.push_back(
                    single({PassKind::U, static_cast<std::uint8_t>(route), stage, update, 0}));
    }
    return order;
}

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

std::vector<int> stageReplicasOf(const PipelineSpec& spec)
{
    std::vector<int> replicas;
    if (spec.updateRule != UpdateRule::Stashed || spec.routeCount() < 2)
        return replicas;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        replicas.push_back(devicesOfStage(spec, stage));
    return replicas;
}

Result<Schedule> withStageReplicas(const PipelineSpec& spec, std::span<const int> replicas)
{
    PW_DO(checkStageReplicas(spec, replicas));
    const int routes = stageReplicaTurn(replicas);
    const std::vector<int> first = firstDevices(replicas);
    PipelineSpec made = spec;
    made.devices = first.back();
    made.routes.clear();
    for (int route = 0; route < routes; ++route) {
        Placement placement;
        for (std::size_t stage = 0; stage < replicas.size(); ++stage)
            placement.deviceOfStage.push_back(DeviceId(first[stage] + route % replicas[stage]));
        made.routes.push_back(std::move(placement));
    }
    made.routeOfMicroBatch.clear();
    for (int j = 0; routes > 1 && j < spec.microBatches; ++j)
        made.routeOfMicroBatch.push_back(static_cast<std::uint8_t>(j % routes));
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

Result<Costs> stageReplicaCosts(const Costs& costs, std::span<const int> replicas)
{
    if (!costs.links.empty() || !costs.single.empty())
        return fail(ErrorCode::BadValue,
                    std::string(costs.links.empty() ? "times of single passes"
                                                    : "links of single pairs of devices") +
                        " say nothing of the further devices that replicas of stages take; leave "
                        "them out");
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
