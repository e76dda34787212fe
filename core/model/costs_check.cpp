// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/model/costs.h"
#include "core/model/offload.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace pw {

namespace {

/// Sums over a schedule stay below this, so that a few of them still add up inside 64 bits.
constexpr double largestSum = static_cast<double>(std::numeric_limits<std::int64_t>::max()) / 4;

/// F, B, W and R, and a U of each route.
constexpr double mostPassesOfCell = 6;

Result<void> checkTable(const std::vector<Ticks>& table, const char* name, std::size_t size,
                        bool mayBeEmpty)
{
    if (table.empty() && mayBeEmpty)
        return {};
    if (table.size() != size) {
        return fail(ErrorCode::BadValue, "costs: %1 has %2 entries; %3 are needed", name,
                    table.size(), size);
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i] < 0 || table[i] > longestPass) {
            return fail(ErrorCode::BadValue, "costs: %1 of entry %2 is %3; it can be 0 to %4", name,
                        i, timeText(table[i]), timeText(longestPass));
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
                            {&costs.optimizer, "optimizer", stages},
                            {&costs.buffers, "buffers", stages},
                            {&costs.workspace, "workspace", stages}};
    for (const Named& named : tables) {
        for (const Bytes bytes : *named.table) {
            if (bytes < 0) {
                return fail(ErrorCode::BadValue, "costs: %1 has %2 bytes; at least 0", named.name,
                            bytes);
            }
        }
        if (!named.table->empty() && named.table->size() != named.size) {
            return fail(ErrorCode::BadValue, "costs: %1 has %2 entries; %3 are needed", named.name,
                        named.table->size(), named.size);
        }
    }
    if (!(costs.fragments >= 0 && costs.fragments <= 1)) {
        return fail(ErrorCode::BadValue, "costs: the part of fragments is %1; it can be 0 to 1",
                    plainNumber(costs.fragments));
    }
    if (!costs.memoryCap.empty() &&
        costs.memoryCap.size() != static_cast<std::size_t>(spec.devices)) {
        return fail(ErrorCode::BadValue, "costs: memory limits are given for %1 of %2 devices",
                    costs.memoryCap.size(), spec.devices);
    }
    for (const Bytes cap : costs.memoryCap) {
        if (cap < 0)
            return fail(ErrorCode::BadValue, "costs: a memory limit is negative");
    }
    if (costs.shareCap < 0)
        return fail(ErrorCode::BadValue, "costs: the activation limit is negative");
    if (costs.activation.size() != cells) {
        return fail(ErrorCode::BadValue, "costs: activation has %1 entries; %2 are needed",
                    costs.activation.size(), cells);
    }
    for (const ActivationCost& cost : costs.activation) {
        // A B that computes its forward again leaves more bytes to W than F did; nothing of the
        // micro-batch is gone then.
        const bool again = cost.activation > 0 && cost.keptForWeightShare == cost.share;
        const bool bytes = cost.keptForWeight >= 0 &&
                           (again || cost.keptForWeight <= cost.activation) && cost.stash >= 0 &&
                           cost.stash <= cost.activation;
        const bool shares = cost.keptForWeightShare >= 0 && cost.keptForWeightShare <= cost.share &&
                            cost.stashShare >= 0 && cost.stashShare <= cost.share;
        if (!bytes || !shares) {
            return fail(ErrorCode::BadValue, "costs: what is kept for W and for recomputation is "
                                             "between 0 and the whole activation");
        }
    }
    return {};
}

Result<void> checkLinks(const Costs& costs, const PipelineSpec& spec)
{
    const auto p = static_cast<std::size_t>(spec.devices);
    if (!costs.links.empty() && costs.links.size() != p * p) {
        return fail(ErrorCode::BadValue, "costs: links are given for %1 pairs; %2 are needed",
                    costs.links.size(), p * p);
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

Result<void> checkSingle(const Costs& costs, const PipelineSpec& spec)
{
    for (std::size_t i = 0; i < costs.single.size(); ++i) {
        const PassTime& single = costs.single[i];
        if (single.time < 0 || single.time > longestPass) {
            return fail(ErrorCode::BadValue,
                        "costs: the single time of %1 is %2; it can be 0 to %3",
                        describe(single.pass, spec), timeText(single.time), timeText(longestPass));
        }
        if (i > 0 && !(costs.single[i - 1].pass < single.pass))
            return fail(ErrorCode::BadValue,
                        "costs: single times are not sorted, or one is double");
    }
    return {};
}

double sumOf(const std::vector<Bytes>& table)
{
    return std::accumulate(table.begin(), table.end(), 0.0);
}

double largestOf(const std::vector<Bytes>& table)
{
    return table.empty() ? 0 : static_cast<double>(*std::max_element(table.begin(), table.end()));
}

/// Nanoseconds of the slowest message that a spec can have.
double slowestMessage(const Costs& costs)
{
    const double bytes = std::max({largestOf(costs.forwardMessage),
                                   largestOf(costs.backwardMessage), largestOf(costs.gradients)});
    const auto over = [bytes](const Link& link) {
        return static_cast<double>(link.latency) +
               (link.bytesPerSecond > 0 ? bytes / link.bytesPerSecond * 1e9 : 0);
    };
    double slowest = costs.links.empty() ? over(costs.link) : 0;
    for (const Link& link : costs.links)
        slowest = std::max(slowest, over(link));
    double slowdown = 1;
    for (const LinkPhase& phase : costs.linkTrace)
        slowdown = std::max(slowdown, phase.slowdown);
    return slowest * slowdown;
}

/// In floating point, since what is looked for are sums that leave 64 bits.
Result<void> checkSums(const Costs& costs, const PipelineSpec& spec)
{
    const double microBatches = static_cast<double>(spec.microBatches) * spec.steps;
    double activation = 0;
    double share = 0;
    for (const ActivationCost& cost : costs.activation) {
        activation += static_cast<double>(std::max(cost.activation, cost.keptForWeight));
        share += static_cast<double>(cost.share);
    }
    // No stage can have more weight versions than updates and the first one.
    const double standing = spec.routeCount() * (sumOf(costs.weights) * (1 + microBatches) +
                                                 sumOf(costs.gradients) + sumOf(costs.optimizer));
    const double engine = sumOf(costs.buffers) + sumOf(costs.workspace);
    if ((1 + costs.fragments) * (activation * microBatches + engine) + standing > largestSum) {
        return fail(ErrorCode::TooLarge,
                    "costs: activations and weights of so many bytes add up beyond 64 bits");
    }
    if (share * microBatches > largestSum)
        return fail(ErrorCode::TooLarge, "costs: shares of activations add up beyond 64 bits");
    const double cells = static_cast<double>(costs.activation.size()) * microBatches;
    const double passes = mostPassesOfCell * cells;
    if (slowestMessage(costs) * passes > largestSum) {
        return fail(
            ErrorCode::TooLarge,
            "costs: the time of a message can be %1 s; so many of them add up beyond 64 bits",
            std::to_string(slowestMessage(costs) / 1e9));
    }
    return {};
}

} // namespace

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
    PW_DO(checkSingle(costs, spec));
    PW_DO(checkLinks(costs, spec));
    PW_DO(checkByteTables(costs, spec));
    PW_DO(check(costs.offload, costs.activation, spec));
    return checkSums(costs, spec);
}

} // namespace pw
