// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/costs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

Costs::Costs() = default;
PW_VALUE_DEFINED(Costs);
bool Costs::operator==(const Costs& other) const = default;

namespace {

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
        for (const DeviceId device : placement.deviceOfStage)
            ++onDevice[static_cast<std::size_t>(device)];
        for (const StageId stage : Ids<StageId>(spec.stages())) {
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
    if (uniform.memoryCap > 0)
        costs.memoryCap.assign(static_cast<std::size_t>(spec.devices), uniform.memoryCap);
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

Bytes messageBytes(const Costs& costs, const PipelineSpec& spec, const Pass& producer,
                   PassKind consumer)
{
    if (consumer == PassKind::U)
        return costs.gradients.empty() ? 0
                                       : costs.gradients[static_cast<std::size_t>(producer.stage)];
    const std::vector<Bytes>& table =
        producer.kind == PassKind::F ? costs.forwardMessage : costs.backwardMessage;
    return table.empty() ? 0 : table[cellIndex(spec, producer.stage, producer.segment)];
}

Ticks nominalMessageTime(const Costs& costs, const PipelineSpec& spec, DeviceId from, DeviceId to,
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

Ticks arrival(const Costs& costs, const PipelineSpec& spec, DeviceId from, DeviceId to, Bytes bytes,
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
