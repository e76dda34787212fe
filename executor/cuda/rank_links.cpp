// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/rank_links.h"

#include "core/base/assert.h"
#include "core/base/index.h"
#include "core/lower/reductions.h"
#include "executor/cuda/block_store.h"

#include <algorithm>
#include <utility>

namespace pw::exec::cuda {

namespace {

constexpr Bytes elementBytes = sizeof(float);

bool takesPart(const Reduction& reduction, RankId rank)
{
    return reduction.ranks[0] == rank || reduction.ranks[1] == rank;
}

} // namespace

std::map<LinkKey, LinkWork> linksOf(const RunPlan& plan)
{
    const Program& program = plan.program;
    std::map<LinkKey, LinkWork> links;
    for (const auto& instructions : program.ranks) {
        for (const Instruction& instruction : instructions) {
            if (instruction.kind != InstructionKind::Send)
                continue;
            const Message& message = program.messages[at(instruction.index)];
            links[{LinkUse::Messages, message.from, message.to}].messages.push_back(
                instruction.index);
            if (plan.postValidation && message.producer.kind == PassKind::F)
                links[{LinkUse::Again, message.from, message.to}].messages.push_back(
                    instruction.index);
        }
    }
    for (const Reduction& reduction : program.reductions) {
        const auto [low, high] = std::minmax(reduction.ranks[0], reduction.ranks[1]);
        if (low == high)
            continue;
        LinkWork& work = links[{LinkUse::Copies, low, high}];
        (reduction.kind == ReductionKind::Sum ? work.sums : work.swaps) = true;
    }
    return links;
}

AgainOrder::AgainOrder(const RunPlan& plan, std::vector<std::int32_t> messages)
    : m_messages(std::move(messages))
{
    for (const std::int32_t message : m_messages)
        m_steps.push_back(plan.program.messages[at(message)].producer.microBatch /
                          plan.schedule.spec().microBatches);
}

std::vector<std::int32_t> AgainOrder::upTo(std::int32_t message, int iteration)
{
    const auto found = std::find(m_messages.begin(), m_messages.end(), message);
    PW_ASSERT(found != m_messages.end());
    const auto place = static_cast<std::size_t>(found - m_messages.begin());
    if (iteration != m_iteration || m_steps[place] != m_step) {
        m_iteration = iteration;
        m_step = m_steps[place];
        m_next = static_cast<std::size_t>(std::find(m_steps.begin(), m_steps.end(), m_step) -
                                          m_steps.begin());
    }
    std::vector<std::int32_t> due;
    for (; m_next <= place; ++m_next)
        due.push_back(m_messages[m_next]);
    return due;
}

Bytes exchangedBytes(const RunPlan& plan, const Reduction& reduction, int side)
{
    const std::vector<Bytes>& gradients = plan.costs.gradients;
    const Bytes whole = gradients.empty() ? 0 : gradients[at(reduction.stage)];
    if (reduction.kind == ReductionKind::Sum)
        return whole;
    const std::int64_t count = whole / elementBytes;
    const int shards = plan.schedule.spec().routeCount();
    const int shard = shardFrom(reduction, side);
    return elementBytes * (shardStart(count, shard + 1, shards) - shardStart(count, shard, shards));
}

std::map<Bytes, int> exchangeBlocks(const RunPlan& plan, RankId rank)
{
    constexpr int most = 4; // one that goes, one that comes, and two that wait for their moment
    std::map<Bytes, int> blocks;
    for (const Reduction& reduction : plan.program.reductions) {
        for (const int side : {0, 1}) {
            if (!takesPart(reduction, rank))
                continue;
            int& count = blocks[blockBytes(exchangedBytes(plan, reduction, side))];
            count = std::min(count + 1, most);
        }
    }
    return blocks;
}

Bytes rollbackBytes(const RunPlan& plan, RankId rank)
{
    const PipelineSpec& spec = plan.schedule.spec();
    Bytes bytes = 0;
    for (int route = 0; plan.postValidation && route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) != deviceOf(rank))
                continue;
            // A gradient is as large as a weight of 32 bits.
            for (const std::vector<Bytes>* table : {&plan.costs.gradients, &plan.costs.optimizer})
                bytes += table->empty() ? 0 : (*table)[at(stage)];
        }
    }
    return bytes;
}

Bytes largestExchange(const RunPlan& plan, RankId rank)
{
    Bytes largest = 0;
    for (const Reduction& reduction : plan.program.reductions) {
        if (takesPart(reduction, rank))
            largest = std::max(largest, exchangedBytes(plan, reduction, 0) +
                                            exchangedBytes(plan, reduction, 1));
    }
    return largest;
}

} // namespace pw::exec::cuda
