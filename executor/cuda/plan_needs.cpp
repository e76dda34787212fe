// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/plan_needs.h"

#include "core/sim/memory.h"
#include "core/sim/simulator.h"
#include "executor/cuda/host_blocks.h"
#include "executor/cuda/rank_links.h"

#include <algorithm>
#include <set>

namespace pw::exec::cuda {

std::vector<Bytes> predictedBytes(const RunPlan& plan)
{
    std::vector<Bytes> bytes(static_cast<std::size_t>(plan.schedule.devices()));
    const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
    if (!simulated)
        return bytes;
    for (const DeviceId device : Ids<DeviceId>(bytes.size())) {
        Bytes& most = bytes[rankOf(device).index()];
        for (const MemoryPoint& point : memoryCurve(plan.schedule, plan.costs, *simulated, device))
            most = std::max(most, point.total());
    }
    return bytes;
}

std::vector<Bytes> neededBytes(const RunPlan& plan)
{
    std::vector<Bytes> bytes = predictedBytes(plan);
    for (const RankId rank : Ids<RankId>(bytes.size()))
        bytes[rank.index()] += largestExchange(plan, rank) + rollbackBytes(plan, rank);
    return bytes;
}

Ticks patienceOf(const RunPlan& plan)
{
    if (plan.patience > 0)
        return plan.patience;
    const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
    return defaultPatience(simulated ? simulated->makespan : 0);
}

std::vector<Bytes> messageBytes(const RunPlan& plan)
{
    const Result<std::vector<int>> tokens = segmentTokens(plan.schedule.spec(), plan.model);
    if (!tokens)
        throw DeviceError(tokens.error().message);
    const Bytes element = plan.model.element == Element::Float32 ? 4 : 2;
    std::vector<Bytes> bytes;
    for (const Message& message : plan.program.messages) {
        const auto segment = static_cast<std::size_t>(message.producer.segment);
        bytes.push_back(element * plan.model.samples * (*tokens)[segment] * plan.model.hidden);
    }
    return bytes;
}

void reserveFor(const RunPlan& plan, RankId rank, Bytes most, RankMemory& memory)
{
    // An eighth for workspace and what rounding to blocks takes.
    const Bytes predicted = predictedBytes(plan)[rank.index()] + rollbackBytes(plan, rank);
    const Bytes wanted = predicted + predicted / 8;
    memory.reserve(most > 0 ? std::min(wanted, most) : wanted);
    constexpr int blocks = 4; // on their way, being read, and two that wait for their moment
    std::set<Bytes> sizes;
    const std::vector<Bytes> bytes = messageBytes(plan);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const Message& message = plan.program.messages[i];
        if (message.from == rank || message.to == rank)
            sizes.insert(bytes[i]);
    }
    for (const Bytes size : sizes)
        memory.reserveMessages(size, blocks);
    for (const auto& [size, count] : exchangeBlocks(plan, rank))
        memory.reserveMessages(size, count);
}

void reserveHost(const RunPlan& plan, RankId rank, RankDevice& device)
{
    for (const auto& [bytes, count] : hostBlocks(plan, rank))
        device.hostLink().reserve(bytes, count);
}

} // namespace pw::exec::cuda
