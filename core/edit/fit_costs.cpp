// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/fit_costs.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/origin_costs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace pw {

namespace {

tl::unexpected<Error> misfit(std::string why)
{
    return fail(ErrorCode::BadValue, std::move(why));
}

std::string cellText(const PipelineSpec& spec, std::size_t cell)
{
    const auto segments = spec.segmentLengths.size();
    std::string text = "stage " + std::to_string(cell / segments);
    if (segments > 1)
        text += ", segment " + std::to_string(cell % segments);
    return text;
}

/// What a device does for one micro-batch on the first route, of a table by cell: the whole that
/// equal stages are parts of.
std::int64_t deviceShare(const std::vector<std::int64_t>& table, const PipelineSpec& spec)
{
    const std::size_t segments = spec.segmentLengths.size();
    const Placement& placement = spec.routes.front();
    std::int64_t sum = 0;
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        if (placement.device(stage) != placement.device(StageId(0)))
            continue;
        for (std::size_t q = 0; q < segments; ++q)
            sum += table[static_cast<std::size_t>(stage) * segments + q];
    }
    return sum;
}

/// Whether a table is what equal stages have, but for the rounding of each cell.
Result<void> checkEqual(const char* what, const std::vector<std::int64_t>& table,
                        const std::vector<std::int64_t>& equal, const PipelineSpec& spec,
                        std::string (*said)(std::int64_t))
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (std::abs(table[i] - equal[i]) > 1)
            return misfit(std::string(what) + " of " + cellText(spec, i) + " is " + said(table[i]) +
                          "; equal stages would have " + said(equal[i]));
    }
    return {};
}

std::string timeSaid(std::int64_t ticks)
{
    return millisecondText(ticks);
}

std::string bytesSaid(std::int64_t bytes)
{
    return byteText(bytes);
}

Result<void> checkTimes(const Costs& costs, const Costs& equal, const PipelineSpec& spec)
{
    struct Named
    {
        const char* what;
        std::vector<Ticks> Costs::*table;
    };
    for (const Named& named : {Named{"F", &Costs::forward}, Named{"B", &Costs::backward},
                               Named{"W", &Costs::weight}, Named{"the pair", &Costs::pair}}) {
        PW_DO(checkEqual(named.what, costs.*named.table, equal.*named.table, spec, timeSaid));
    }
    for (std::size_t i = 0; i < costs.fused.size(); ++i) {
        if (std::abs(costs.fused[i] - costs.backward[i] - costs.weight[i]) > 2)
            return misfit("BW of " + cellText(spec, i) + " is " + timeSaid(costs.fused[i]) +
                          "; of equal stages it is B + W, " +
                          timeSaid(costs.backward[i] + costs.weight[i]));
    }
    for (std::size_t i = 0; i < costs.recompute.size(); ++i) {
        if (std::abs(costs.recompute[i] - costs.forward[i]) > 1)
            return misfit("R of " + cellText(spec, i) + " is " + timeSaid(costs.recompute[i]) +
                          "; of equal stages it is F, " + timeSaid(costs.forward[i]));
    }
    for (std::size_t s = 0; s < costs.update.size(); ++s) {
        const Ticks same = equal.update.empty() ? 0 : equal.update[s];
        if (std::abs(costs.update[s] - same) > 1)
            return misfit("U of stage " + std::to_string(s) + " is " + timeSaid(costs.update[s]) +
                          "; equal stages would have " + timeSaid(same));
    }
    if (!costs.single.empty())
        return misfit("single passes have times of their own");
    return {};
}

Result<void> checkBytes(const Costs& costs, const Costs& equal, const PipelineSpec& spec)
{
    for (std::size_t i = 0; i < costs.activation.size(); ++i) {
        const ActivationCost& has = costs.activation[i];
        const ActivationCost& would = equal.activation[i];
        struct Named
        {
            const char* what;
            Bytes has, would;
        };
        for (const Named& one :
             {Named{"the activation", has.activation, would.activation},
              Named{"what is kept for W", has.keptForWeight, would.keptForWeight},
              Named{"what recomputation keeps", has.stash, would.stash}}) {
            if (std::abs(one.has - one.would) > 2)
                return misfit(std::string(one.what) + " of " + cellText(spec, i) + " is " +
                              bytesSaid(one.has) + "; equal stages would have " +
                              bytesSaid(one.would));
        }
    }
    const auto known = [](const std::vector<Bytes>& table) {
        return std::any_of(table.begin(), table.end(), [](Bytes bytes) { return bytes > 0; });
    };
    if (known(costs.weights) || known(costs.gradients) || known(costs.optimizer))
        return misfit("equal stages have no bytes of weights, gradients or optimizer");
    if (known(costs.buffers) || known(costs.workspace) || costs.fragments > 0)
        return misfit("equal stages have no bytes of buffers, workspace or fragments");
    for (const Bytes cap : costs.memoryCap) {
        if (cap != costs.memoryCap.front())
            return misfit("the devices have memory limits of their own");
    }
    if (costs.shareCap != 0)
        return misfit("equal stages have no activation limit in micro-batches");
    return {};
}

Result<void> checkLinks(const Costs& costs, const PipelineSpec& spec)
{
    if (!costs.linkTrace.empty())
        return misfit("a link trace slows messages down");
    const auto known = [](const std::vector<Bytes>& table) {
        return std::any_of(table.begin(), table.end(), [](Bytes bytes) { return bytes > 0; });
    };
    const bool bandwidth = (known(costs.forwardMessage) || known(costs.backwardMessage)) &&
                           (costs.link.bytesPerSecond > 0 ||
                            std::any_of(costs.links.begin(), costs.links.end(),
                                        [](const Link& link) { return link.bytesPerSecond > 0; }));
    if (bandwidth)
        return misfit("messages have bytes and links a bandwidth; of equal stages every message "
                      "takes the same time");
    const auto p = static_cast<std::size_t>(spec.devices);
    for (std::size_t i = 0; i < costs.links.size(); ++i) {
        // A device's link to itself means nothing.
        if (i / p != i % p && costs.links[i].latency != costs.links[1].latency)
            return misfit("the links have latencies of their own");
    }
    return {};
}

/// The part of what F keeps; the given fallback where it keeps nothing.
double partOf(std::int64_t part, std::int64_t whole, double fallback)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : fallback;
}

/// A table by stage or cell for another number of stages, where all stages have the same.
Result<void> stretch(std::vector<std::int64_t>& table, const char* what, std::size_t per,
                     std::size_t stages)
{
    for (std::size_t i = per; i < table.size(); ++i) {
        if (table[i] != table[i - per])
            return misfit(std::string(what) + " differ between the stages");
    }
    if (table.empty())
        return {};
    table.resize(per * stages);
    for (std::size_t i = per; i < table.size(); ++i)
        table[i] = table[i - per];
    return {};
}

/// Tables for as many stages as a shape has.
Result<Costs> stretched(Costs costs, const PipelineSpec& before, const PipelineSpec& after)
{
    const auto perDevice = [](const PipelineSpec& spec) {
        return spec.stages() * spec.routeCount() / spec.devices;
    };
    if (before.segmentLengths != after.segmentLengths)
        return misfit("the segments are others");
    if (perDevice(before) != perDevice(after) || before.routeCount() != after.routeCount())
        return misfit("a device has another number of stages");
    if (!costs.single.empty())
        return misfit("single passes have times of their own");
    const std::size_t cells = before.segmentLengths.size();
    const auto stages = static_cast<std::size_t>(after.stages());
    struct Named
    {
        const char* what;
        std::vector<std::int64_t> Costs::*table;
        std::size_t per;
    };
    for (const Named& one :
         {Named{"times of F", &Costs::forward, cells}, Named{"times of B", &Costs::backward, cells},
          Named{"times of W", &Costs::weight, cells}, Named{"times of BW", &Costs::fused, cells},
          Named{"times of R", &Costs::recompute, cells},
          Named{"times of pairs", &Costs::pair, cells}, Named{"times of U", &Costs::update, 1},
          Named{"messages", &Costs::forwardMessage, cells},
          Named{"messages", &Costs::backwardMessage, cells}, Named{"weights", &Costs::weights, 1},
          Named{"gradients", &Costs::gradients, 1}, Named{"optimizer bytes", &Costs::optimizer, 1},
          Named{"buffers", &Costs::buffers, 1}, Named{"workspace", &Costs::workspace, 1}}) {
        PW_DO(stretch(costs.*one.table, one.what, one.per, stages));
    }
    for (std::size_t i = cells; i < costs.activation.size(); ++i) {
        if (!(costs.activation[i] == costs.activation[i - cells]))
            return misfit("activations differ between the stages");
    }
    costs.activation.resize(cells * stages);
    for (std::size_t i = cells; i < costs.activation.size(); ++i)
        costs.activation[i] = costs.activation[i - cells];
    for (const Bytes cap : costs.memoryCap) {
        if (cap != costs.memoryCap.front())
            return misfit("the devices have memory limits of their own");
    }
    const auto devices = static_cast<std::size_t>(after.devices);
    if (!costs.memoryCap.empty())
        costs.memoryCap.resize(devices, costs.memoryCap.front());
    if (!costs.links.empty()) {
        // Those from a device to itself mean nothing.
        const auto p = static_cast<std::size_t>(before.devices);
        const Link first = p > 1 ? costs.links[1] : costs.link;
        for (std::size_t i = 0; i < costs.links.size(); ++i) {
            if (i / p != i % p && !(costs.links[i] == first))
                return misfit("the links differ");
        }
        costs.link = first;
        costs.links.clear();
    }
    return costs;
}

/// Shares of a micro-batch as a shape has them; what is kept of them stays in proportion.
void share(Costs& costs, const PipelineSpec& spec)
{
    const std::vector<ActivationCost> whole = activationShares(spec, 1, 0);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        ActivationCost& cost = costs.activation[i];
        const auto part = [&](Share of) {
            return static_cast<Share>(
                std::llround(static_cast<double>(whole[i].share) * partOf(of, cost.share, 0)));
        };
        cost.keptForWeightShare = part(cost.keptForWeightShare);
        cost.stashShare = part(cost.stashShare);
        cost.share = whole[i].share;
    }
}

} // namespace

Result<UniformCosts> uniformOf(const Costs& costs, const PipelineSpec& spec)
{
    UniformCosts uniform;
    uniform.forward = deviceShare(costs.forward, spec);
    uniform.backward = deviceShare(costs.backward, spec);
    uniform.weight = deviceShare(costs.weight, spec);
    if (!costs.pair.empty())
        uniform.pair = deviceShare(costs.pair, spec);
    if (!costs.update.empty()) {
        const Placement& placement = spec.routes.front();
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (placement.device(stage) == placement.device(StageId(0)))
                uniform.update += costs.update[static_cast<std::size_t>(stage)];
        }
    }
    uniform.hop =
        costs.links.empty() || spec.devices < 2 ? costs.link.latency : costs.links[1].latency;
    const ActivationCost& first = costs.activation.front();
    std::vector<Bytes> activations;
    for (const ActivationCost& cost : costs.activation)
        activations.push_back(cost.activation);
    uniform.activation = deviceShare(activations, spec);
    uniform.keptForWeight = std::min(1.0, partOf(first.keptForWeight, first.activation,
                                                 partOf(first.keptForWeightShare, first.share, 1)));
    uniform.stash = partOf(first.stash, first.activation, partOf(first.stashShare, first.share, 0));
    if (!costs.memoryCap.empty())
        uniform.memoryCap = costs.memoryCap.front();
    const Costs equal = expand(uniform, spec);
    PW_DO(checkTimes(costs, equal, spec));
    PW_DO(checkBytes(costs, equal, spec));
    PW_DO(checkLinks(costs, spec));
    return uniform;
}

namespace {

/// Tables that are equal stages but for their cap of activations.
std::optional<EqualStages> equalStagesIn(const Costs& tables, const PipelineSpec& spec)
{
    Costs open = tables;
    open.shareCap = 0;
    const Result<UniformCosts> equal = uniformOf(open, spec);
    return equal ? std::optional(EqualStages{*equal, tables.shareCap}) : std::nullopt;
}

} // namespace

std::optional<EqualStages> equalStagesOf(const Project& project)
{
    if (const auto* uniform = std::get_if<UniformCosts>(&project.costs))
        return EqualStages{*uniform, 0};
    const auto& tables = std::get<Costs>(project.costs);
    if (tables.shareCap == 0 || project.origin)
        return std::nullopt;
    return equalStagesIn(tables, project.draft.spec);
}

std::variant<UniformCosts, Costs> costsOf(const EqualStages& stages, const PipelineSpec& spec)
{
    if (stages.shareCap == 0)
        return stages.costs;
    Costs costs = expand(stages.costs, spec);
    costs.shareCap = stages.shareCap;
    return costs;
}

UniformCosts meanOf(const Costs& costs, const PipelineSpec& spec)
{
    const auto mean = [&](const std::vector<std::int64_t>& table) {
        double sum = 0;
        for (const std::int64_t one : table)
            sum += static_cast<double>(one);
        return static_cast<std::int64_t>(std::llround(sum / spec.devices));
    };
    UniformCosts uniform;
    uniform.forward = mean(costs.forward);
    uniform.backward = mean(costs.backward);
    uniform.weight = mean(costs.weight);
    uniform.update = mean(costs.update);
    if (!costs.pair.empty())
        uniform.pair = mean(costs.pair);
    std::vector<Bytes> whole, kept, stash;
    for (const ActivationCost& cost : costs.activation) {
        const bool bytes = cost.activation > 0;
        whole.push_back(bytes ? cost.activation : cost.share);
        kept.push_back(bytes ? cost.keptForWeight : cost.keptForWeightShare);
        stash.push_back(bytes ? cost.stash : cost.stashShare);
        uniform.activation += cost.activation;
    }
    uniform.activation /= spec.devices;
    uniform.keptForWeight = std::min(1.0, partOf(mean(kept), mean(whole), 1));
    uniform.stash = partOf(mean(stash), mean(whole), 0);
    const auto cell = std::max_element(costs.forwardMessage.begin(), costs.forwardMessage.end());
    if (spec.devices > 1)
        uniform.hop = nominalMessageTime(costs, spec, DeviceId(0), DeviceId(1),
                                         cell == costs.forwardMessage.end() ? 0 : *cell);
    if (!costs.memoryCap.empty())
        uniform.memoryCap = *std::min_element(costs.memoryCap.begin(), costs.memoryCap.end());
    return uniform;
}

Result<void> fitCosts(Project& project, const PipelineSpec& before)
{
    const PipelineSpec& after = project.draft.spec;
    auto* tables = std::get_if<Costs>(&project.costs);
    if (tables == nullptr)
        return {};
    if (project.origin) {
        CostOrigin origin = *project.origin;
        origin.recomputeIn = recomputeInOf(project);
        PW_TRY(Costs made, costsOf(origin, after));
        const std::vector<Bytes>& caps = tables->memoryCap;
        if (std::adjacent_find(caps.begin(), caps.end(), std::not_equal_to<>()) == caps.end())
            made.memoryCap.assign(caps.empty() ? 0 : static_cast<std::size_t>(after.devices),
                                  caps.empty() ? 0 : caps.front());
        made.shareCap = tables->shareCap;
        project.origin = std::move(origin);
        project.costs = std::move(made);
        return {};
    }
    if (tables->shareCap > 0) {
        if (const std::optional<EqualStages> equal = equalStagesIn(*tables, before)) {
            project.costs = costsOf(*equal, after);
            return {};
        }
    }
    if (check(*tables, after) && before.segmentLengths == after.segmentLengths) {
        if (before.routes != after.routes || before.devices != after.devices)
            share(*tables, after);
        return {};
    }
    Result<Costs> made = stretched(*tables, before, after);
    if (!made) {
        return misfit("the tables of costs are for " + std::to_string(before.stages()) +
                      " stages on " + std::to_string(before.devices) + " devices, and " +
                      made.error().message + "; take uniform costs or another table first");
    }
    share(*made, after);
    project.costs = std::move(*made);
    return {};
}

RecomputeIn recomputeInOf(const Project& project)
{
    if (project.family) {
        const auto family = findFamily(project.family->id);
        const Parameter* recompute = family ? findParameter(**family, "recompute") : nullptr;
        return recompute != nullptr && isOn(project.family->options, *recompute)
                   ? RecomputeIn::Passes
                   : RecomputeIn::Backward;
    }
    for (const auto& order : project.draft.orders) {
        for (const OrderEntry& entry : order) {
            if (entry.pass.kind == PassKind::R)
                return RecomputeIn::Passes;
        }
    }
    return RecomputeIn::Backward;
}

} // namespace pw
