// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/costs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace pw {

namespace {

std::size_t cellIndex(const PipelineSpec& spec, int stage, int segment)
{
    return static_cast<std::size_t>(stage) * spec.segmentLengths.size() +
           static_cast<std::size_t>(segment);
}

/// Part of a whole that `part` of `of` makes, rounded to the nearest.
std::int64_t portion(std::int64_t whole, std::int64_t part, std::int64_t of)
{
    const auto exact = static_cast<long double>(whole) * static_cast<long double>(part) /
                       static_cast<long double>(of);
    return static_cast<std::int64_t>(std::llround(exact));
}

/// Chunks that a stage shares its device with on its route; of two routes the larger number counts.
std::vector<int> chunksOfStage(const PipelineSpec& spec)
{
    std::vector<int> chunks(static_cast<std::size_t>(spec.stages()), 1);
    std::vector<int> onDevice(static_cast<std::size_t>(spec.devices));
    for (const Placement& placement : spec.routes) {
        std::fill(onDevice.begin(), onDevice.end(), 0);
        for (const int device : placement.deviceOfStage)
            ++onDevice[static_cast<std::size_t>(device)];
        for (int stage = 0; stage < spec.stages(); ++stage) {
            int& most = chunks[static_cast<std::size_t>(stage)];
            most = std::max(most, onDevice[static_cast<std::size_t>(placement.device(stage))]);
        }
    }
    return chunks;
}

/// Splits a device share over the cells of a spec: by chunk, then by segment length.
std::vector<std::int64_t> spread(const PipelineSpec& spec, std::int64_t deviceShare)
{
    const std::vector<int> chunks = chunksOfStage(spec);
    const std::int64_t length =
        std::accumulate(spec.segmentLengths.begin(), spec.segmentLengths.end(), std::int64_t{0});
    std::vector<std::int64_t> cells;
    cells.reserve(chunks.size() * spec.segmentLengths.size());
    for (const int v : chunks) {
        for (const int part : spec.segmentLengths)
            cells.push_back(portion(deviceShare, part, length * v));
    }
    return cells;
}

template<typename T>
Result<void> checkTable(const std::vector<T>& table, const char* name, std::size_t size,
                        bool mayBeEmpty)
{
    if (table.empty() && mayBeEmpty)
        return {};
    if (table.size() != size) {
        return fail(ErrorCode::BadValue, std::string("costs: ") + name + " has " +
                                             std::to_string(table.size()) + " entries; " +
                                             std::to_string(size) + " are needed");
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
        constexpr T most = longestPass;
        if (table[i] < 0 || table[i] > most) {
            return fail(ErrorCode::BadValue,
                        std::string("costs: ") + name + " of entry " + std::to_string(i) + " is " +
                            std::to_string(table[i]) + "; 0 to " + std::to_string(most));
        }
    }
    return {};
}

Result<void> checkByteTables(const Costs& costs, const PipelineSpec& spec)
{
    const auto stages = static_cast<std::size_t>(spec.stages());
    const std::size_t cells = stages * spec.segmentLengths.size();
    struct Named
    {
        const std::vector<Bytes>* table;
        const char* name;
        std::size_t size;
    };
    const Named tables[] = {{&costs.forwardMessage, "forward messages", cells},
                            {&costs.backwardMessage, "backward messages", cells},
                            {&costs.weights, "weights", stages},
                            {&costs.gradients, "gradients", stages},
                            {&costs.optimizer, "optimizer", stages}};
    for (const Named& named : tables) {
        for (const Bytes bytes : *named.table) {
            if (bytes < 0) {
                return fail(ErrorCode::BadValue, std::string("costs: ") + named.name + " has " +
                                                     std::to_string(bytes) + " bytes; at least 0");
            }
        }
        if (!named.table->empty() && named.table->size() != named.size) {
            return fail(ErrorCode::BadValue, std::string("costs: ") + named.name + " has " +
                                                 std::to_string(named.table->size()) +
                                                 " entries; " + std::to_string(named.size) +
                                                 " are needed");
        }
    }
    if (!costs.memoryCap.empty() &&
        costs.memoryCap.size() != static_cast<std::size_t>(spec.devices)) {
        return fail(ErrorCode::BadValue, "costs: memory caps are given for " +
                                             std::to_string(costs.memoryCap.size()) + " of " +
                                             std::to_string(spec.devices) + " devices");
    }
    if (costs.shareCap < 0)
        return fail(ErrorCode::BadValue, "costs: the activation cap is negative");
    if (costs.activation.size() != cells) {
        return fail(ErrorCode::BadValue, "costs: activation has " +
                                             std::to_string(costs.activation.size()) +
                                             " entries; " + std::to_string(cells) + " are needed");
    }
    for (const ActivationCost& cost : costs.activation) {
        const bool bytes = cost.keptForWeight >= 0 && cost.keptForWeight <= cost.activation &&
                           cost.stash >= 0 && cost.stash <= cost.activation;
        const bool shares = cost.keptForWeightShare >= 0 && cost.keptForWeightShare <= cost.share &&
                            cost.stashShare >= 0 && cost.stashShare <= cost.share;
        if (!bytes || !shares) {
            return fail(ErrorCode::BadValue,
                        "costs: what is kept for W and for recomputation is between 0 and the "
                        "whole activation");
        }
    }
    return {};
}

Result<void> checkLinks(const Costs& costs, const PipelineSpec& spec)
{
    const auto p = static_cast<std::size_t>(spec.devices);
    if (!costs.links.empty() && costs.links.size() != p * p) {
        return fail(ErrorCode::BadValue, "costs: links are given for " +
                                             std::to_string(costs.links.size()) + " pairs; " +
                                             std::to_string(p * p) + " are needed");
    }
    auto good = [](const Link& link) {
        return link.latency >= 0 && link.bytesPerSecond >= 0 && std::isfinite(link.bytesPerSecond);
    };
    if (!good(costs.link) || !std::all_of(costs.links.begin(), costs.links.end(), good)) {
        return fail(ErrorCode::BadValue, "costs: a link has a negative latency or bandwidth");
    }
    Ticks before = std::numeric_limits<Ticks>::min();
    for (const LinkPhase& phase : costs.linkTrace) {
        if (!(phase.slowdown > 0) || !std::isfinite(phase.slowdown) || phase.start <= before) {
            return fail(ErrorCode::BadValue,
                        "costs: the link trace needs rising starts and slowdowns above 0");
        }
        before = phase.start;
    }
    return {};
}

/// The single time of a pass; none where the tables hold.
const PassTime* singleTime(const Costs& costs, const Pass& pass)
{
    if (costs.single.empty())
        return nullptr;
    const auto it = std::lower_bound(
        costs.single.begin(), costs.single.end(), pass,
        [](const PassTime& entry, const Pass& wanted) { return entry.pass < wanted; });
    return it != costs.single.end() && it->pass == pass ? &*it : nullptr;
}

} // namespace

std::vector<ActivationCost> activationShares(const PipelineSpec& spec, double keptForWeight,
                                             double stash)
{
    std::vector<ActivationCost> cells;
    for (const Share share : spread(spec, shareOne)) {
        ActivationCost cost;
        cost.share = share;
        cost.keptForWeightShare =
            static_cast<Share>(std::llround(static_cast<double>(share) * keptForWeight));
        cost.stashShare = static_cast<Share>(std::llround(static_cast<double>(share) * stash));
        cells.push_back(cost);
    }
    return cells;
}

Costs expand(const UniformCosts& uniform, const PipelineSpec& spec)
{
    Costs costs;
    costs.forward = spread(spec, uniform.forward);
    costs.backward = spread(spec, uniform.backward);
    costs.weight = spread(spec, uniform.weight);
    if (uniform.pair)
        costs.pair = spread(spec, *uniform.pair);
    if (uniform.update > 0) {
        const std::vector<int> chunks = chunksOfStage(spec);
        for (const int v : chunks)
            costs.update.push_back(portion(uniform.update, 1, v));
    }
    costs.link.latency = uniform.hop;
    costs.activation = activationShares(spec, uniform.keptForWeight, uniform.stash);
    const std::vector<Bytes> bytes = spread(spec, uniform.activation);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        ActivationCost& cost = costs.activation[i];
        cost.activation = bytes[i];
        cost.keptForWeight =
            static_cast<Bytes>(std::llround(static_cast<double>(bytes[i]) * uniform.keptForWeight));
        cost.stash =
            static_cast<Bytes>(std::llround(static_cast<double>(bytes[i]) * uniform.stash));
    }
    return costs;
}

Result<void> check(const Costs& costs, const PipelineSpec& spec)
{
    const auto stages = static_cast<std::size_t>(spec.stages());
    const std::size_t cells = stages * spec.segmentLengths.size();
    struct Named
    {
        const std::vector<Ticks>* table;
        const char* name;
        std::size_t size;
        bool mayBeEmpty;
    };
    const Named tables[] = {{&costs.forward, "forward times", cells, false},
                            {&costs.backward, "backward times", cells, false},
                            {&costs.weight, "weight times", cells, false},
                            {&costs.fused, "fused backward times", cells, true},
                            {&costs.recompute, "recompute times", cells, true},
                            {&costs.pair, "pair times", cells, true},
                            {&costs.update, "update times", stages, true}};
    for (const Named& named : tables) {
        if (auto ok = checkTable(*named.table, named.name, named.size, named.mayBeEmpty); !ok)
            return ok;
    }
    for (std::size_t i = 0; i < costs.single.size(); ++i) {
        if (costs.single[i].time < 0)
            return fail(ErrorCode::BadValue, "costs: a single time is negative");
        if (i > 0 && !(costs.single[i - 1].pass < costs.single[i].pass))
            return fail(ErrorCode::BadValue,
                        "costs: single times are not sorted, or one is double");
    }
    if (auto ok = checkLinks(costs, spec); !ok)
        return ok;
    return checkByteTables(costs, spec);
}

Ticks passTime(const Costs& costs, const PipelineSpec& spec, const Pass& pass)
{
    if (const PassTime* own = singleTime(costs, pass))
        return own->time;
    return tableTime(costs, spec, pass);
}

Ticks tableTime(const Costs& costs, const PipelineSpec& spec, const Pass& pass)
{
    const std::size_t cell = cellIndex(spec, pass.stage, pass.segment);
    switch (pass.kind) {
    case PassKind::F:
        return costs.forward[cell];
    case PassKind::B:
        return costs.backward[cell];
    case PassKind::W:
        return costs.weight[cell];
    case PassKind::BW:
        return costs.fused.empty() ? costs.backward[cell] + costs.weight[cell] : costs.fused[cell];
    case PassKind::R:
        return costs.recompute.empty() ? costs.forward[cell] : costs.recompute[cell];
    case PassKind::U:
        return costs.update.empty() ? 0 : costs.update[static_cast<std::size_t>(pass.stage)];
    }
    return 0;
}

Ticks entryTime(const Costs& costs, const PipelineSpec& spec, const OrderEntry& entry)
{
    const Ticks first = passTime(costs, spec, entry.pass);
    if (!entry.paired)
        return first;
    const Ticks second = passTime(costs, spec, entry.partner);
    const bool forwardFirst = entry.pass.kind == PassKind::F;
    const Pass& forward = forwardFirst ? entry.pass : entry.partner;
    const Pass& backward = forwardFirst ? entry.partner : entry.pass;
    const bool ownTimes =
        singleTime(costs, entry.pass) != nullptr || singleTime(costs, entry.partner) != nullptr;
    if (costs.pair.empty() || ownTimes || forward.kind != PassKind::F || !isBackward(backward.kind))
        return first + second;
    const Ticks pair = costs.pair[cellIndex(spec, forward.stage, forward.segment)];
    if (backward.kind == PassKind::BW)
        return pair;
    const Ticks weight = costs.weight[cellIndex(spec, backward.stage, backward.segment)];
    return std::max(pair - weight, std::max(first, second));
}

Ticks nominalMessageTime(const Costs& costs, const PipelineSpec& spec, int from, int to,
                         Bytes bytes)
{
    if (from == to)
        return 0;
    const Link& link =
        costs.links.empty()
            ? costs.link
            : costs.links[static_cast<std::size_t>(from) * static_cast<std::size_t>(spec.devices) +
                          static_cast<std::size_t>(to)];
    Ticks nominal = link.latency;
    if (link.bytesPerSecond > 0)
        nominal += static_cast<Ticks>(
            std::llround(static_cast<double>(bytes) / link.bytesPerSecond * 1e9));
    return nominal;
}

Ticks arrival(const Costs& costs, const PipelineSpec& spec, int from, int to, Bytes bytes,
              Ticks sent)
{
    const Ticks nominal = nominalMessageTime(costs, spec, from, to, bytes);
    if (costs.linkTrace.empty() || nominal == 0)
        return sent + nominal;
    // Walk the phases and use up the nominal time at each phase's own pace.
    auto phase =
        std::upper_bound(costs.linkTrace.begin(), costs.linkTrace.end(), sent,
                         [](Ticks time, const LinkPhase& entry) { return time < entry.start; });
    double pace = phase == costs.linkTrace.begin() ? 1 : std::prev(phase)->slowdown;
    double left = static_cast<double>(nominal);
    auto now = static_cast<double>(sent);
    for (; phase != costs.linkTrace.end(); ++phase) {
        const double stretch = static_cast<double>(phase->start) - now;
        if (left * pace <= stretch)
            break;
        left -= stretch / pace;
        now = static_cast<double>(phase->start);
        pace = phase->slowdown;
    }
    return static_cast<Ticks>(std::llround(now + left * pace));
}

} // namespace pw
