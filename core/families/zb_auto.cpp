// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/parameters.h"
#include "core/model/known_sizes.h"
#include "core/search/zero_bubble_search.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pw::families {

namespace {

/// Longest time that the search may be given, in seconds.
constexpr double longestSearch = 3600;

constexpr Parameter limitParameter = [] {
    Parameter limit = memoryLimitParameter;
    limit.summary = "activation that a device may hold, in micro-batches";
    limit.minimum = 0;
    limit.maximum = 1e9;
    return limit;
}();

constexpr Parameter timeParameter = {
    .name = "time-limit",
    .summary = "seconds that the search may take; 0 takes the published heuristic as it is",
    .minimum = 0,
    .maximum = longestSearch,
    .type = ParameterType::Number,
    .role = ParameterRole::TimeLimit};

Bytes atStage(const std::vector<Bytes>& table, std::size_t stage)
{
    return table.empty() ? 0 : table[stage];
}

/// Activation that a stage may hold: the limit in micro-batches, or what the device's memory leaves
/// beside weights, gradients and optimizer.
Share limitOfStage(const Costs& costs, std::size_t stage, double microBatches)
{
    double asked = microBatches * static_cast<double>(shareOne);
    if (costs.shareCap > 0)
        asked = std::min(asked, static_cast<double>(costs.shareCap));
    const ActivationCost& held = costs.activation[stage];
    // The share of a micro-batch does not change between F and W, but its bytes do.
    const Bytes most = std::max(held.activation, held.keptForWeight);
    if (costs.memoryCap.empty() || most == 0)
        return static_cast<Share>(asked);
    const HostedStage hosted{0, StageId(stage)};
    const Bytes left = standingMemory(costs, std::span(&hosted, 1)).room(costs.memoryCap[stage]);
    const double fits =
        static_cast<double>(left) / static_cast<double>(most) * static_cast<double>(held.share);
    return static_cast<Share>(std::min(asked, std::floor(fits)));
}

ZeroBubbleProblem problemOf(const PipelineSpec& spec, const Costs& costs, double microBatches)
{
    ZeroBubbleProblem problem;
    problem.devices = spec.devices;
    problem.microBatches = spec.microBatches;
    problem.forward = costs.forward;
    problem.backward = costs.backward;
    problem.weight = costs.weight;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const auto stage = static_cast<std::size_t>(device);
        const ActivationCost& held = costs.activation[stage];
        problem.forwardMemory.push_back(held.share);
        problem.backwardMemory.push_back(held.keptForWeightShare - held.share);
        problem.weightMemory.push_back(-held.keptForWeightShare);
        problem.memoryLimit.push_back(limitOfStage(costs, stage, microBatches));
        if (device == 0)
            continue;
        problem.forwardLatency.push_back(nominalMessageTime(
            costs, spec, device - 1, device, atStage(costs.forwardMessage, stage - 1)));
        problem.backwardLatency.push_back(nominalMessageTime(
            costs, spec, device, device - 1, atStage(costs.backwardMessage, stage)));
    }
    return problem;
}

/// Says what a stage's limit is in micro-batches, which is what the person chose.
Result<void> checkLimit(const ZeroBubbleProblem& problem)
{
    for (std::size_t stage = 0; stage < problem.memoryLimit.size(); ++stage) {
        if (problem.memoryLimit[stage] >= problem.forwardMemory[stage])
            continue;
        const double least = microBatchesFromShare(problem.forwardMemory[stage]);
        const double limit = microBatchesFromShare(std::max<Share>(0, problem.memoryLimit[stage]));
        return fail(ErrorCode::MemoryLimit,
                    "stage %1 may hold the activations of %2 micro-batches; the smallest limit "
                    "that works is %3",
                    stage, plainNumber(limit), plainNumber(least));
    }
    return {};
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs& costs)
{
    const double limit = chosen(options, limitParameter);
    const double seconds = chosen(options, timeParameter);
    const ZeroBubbleProblem problem = problemOf(spec, costs, limit);
    PW_DO(checkLimit(problem));
    PW_TRY(const auto found, searchZeroBubble(problem, {ticksFromMs(seconds * 1000)}));
    DeviceOrders orders(found.order.size());
    for (std::size_t device = 0; device < orders.size(); ++device) {
        orders[device].reserve(found.order[device].size());
        for (const Pass& pass : found.order[device])
            orders[device].push_back(single(pass));
    }
    return finish(spec, std::move(orders));
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const double limit = chosen(*in.options, limitParameter);
    const bool equal = in.forward == in.backward && in.forward == in.weight;
    if (in.hop != 0 || !equal || limit < in.p || limit != std::floor(limit))
        return std::nullopt;
    return std::max(0.0, 2 * in.p - 1 - std::min(limit, in.m)) * in.forward;
}

} // namespace

Family zb_auto()
{
    Family family;
    family.id = "zb-auto";
    family.title = "ZB-auto";
    family.summary = "Orders F, B and W for the shortest span within a memory limit, from the real "
                     "times of stages and links (ZB-1p: limit p, ZB-2p: limit 2p).";
    family.citation = "Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, arXiv:2401.10241";
    family.parameters = {limitParameter, timeParameter};
    family.closedForms = {{Quantity::SpanBubble, "max(0, 2p−1−min(K, m))T, K = memory-limit",
                           "T_c = 0, T_F = T_B = T_W = T, K ≥ p and whole", bubble}};
    family.search = true;
    family.anytime = true;
    family.spec = linearShape;
    family.build = build;
    return family;
}

} // namespace pw::families
