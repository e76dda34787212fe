// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/origin_costs.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/around.h"
#include "core/cost/evaluate.h"
#include "core/cost/stage_parts.h"
#include "core/cost/whole.h"

#include <algorithm>
#include <limits>

namespace pw {

namespace {

Result<void> checkTogether(const LanguageModel& model, const PipelineSpec& spec,
                           const LayerSplit& split)
{
    if (spec.segments() > 1 && !model.dense.causal) {
        return fail(ErrorCode::BadValue,
                    "segments is %1, but the attention of %2 is not causal: a token needs the "
                    "whole sequence",
                    spec.segments(), model.dense.name);
    }
    for (const StageId stage : Ids<StageId>(split.size())) {
        if (const int layers = split[stage.index()].multiToken; layers != 0) {
            return fail(ErrorCode::BadValue,
                        "stage %1 has %2 multi-token layers, whose costs are not known", stage,
                        layers);
        }
    }
    return check(split, model.dense.layers, spec.stages());
}

Result<void> checkLengths(const Costs& costs, std::size_t segments, std::string_view hardware)
{
    const std::pair<std::string_view, const std::vector<Ticks>&> tables[] = {
        {"F", costs.forward}, {"B", costs.backward}, {"W", costs.weight}, {"R", costs.recompute}};
    for (const auto& [pass, ticks] : tables) {
        for (std::size_t cell = 0; cell < ticks.size(); ++cell) {
            if (ticks[cell] > longestPass)
                return fail(ErrorCode::TooLarge,
                            "%1 of stage %2 would take %3 s on %4; at most %5 s", pass,
                            cell / segments, ticks[cell] / ticksPerSecond, hardware,
                            longestPass / ticksPerSecond);
        }
    }
    for (std::size_t stage = 0; stage < costs.update.size(); ++stage) {
        if (costs.update[stage] > longestPass)
            return fail(ErrorCode::TooLarge, "%1 of stage %2 would take %3 s on %4; at most %5 s",
                        "U", stage, costs.update[stage] / ticksPerSecond, hardware,
                        longestPass / ticksPerSecond);
    }
    return {};
}

} // namespace

Result<PlannedOrigin> plannedOrigin(const CostOrigin& origin, const PipelineSpec& spec)
{
    PW_TRY(const Accelerator device, findAccelerator(origin.hardware));
    const TransformerModel& dense = origin.model.dense;
    PlannedOrigin planned;
    plan::Configuration& c = planned.configuration;
    c.family.clear();
    c.pipelineParallel = spec.devices;
    c.tensorParallel = dense.tensorParallel;
    c.dataParallel = dense.dataParallel;
    c.contextParallel = std::max(origin.model.contextParallel, 1);
    c.expertParallel = std::max(origin.model.expertParallel, 1);
    if (spec.segments() > 1)
        c.segmentLengths = spec.segmentLengths;
    c.microBatchSize = dense.microBatch;
    c.chunks = std::max(spec.stages() / std::max(spec.devices, 1), 1);
    c.recompute =
        dense.recompute == RecomputePolicy::Full && origin.recomputeIn == RecomputeIn::Passes
            ? RecomputePolicy::None
            : dense.recompute;
    c.sequenceParallel = dense.sequenceParallel;
    c.fusedAccumulation = dense.fusedAccumulation;
    c.engine = origin.engine;
    c.overlapTensor = dense.overlapTensor && dense.sequenceParallel;
    c.zero = dense.distributedOptimizer ? 1 : 0;
    const double apart = static_cast<double>(dense.tensorParallel) * c.contextParallel;
    if (spec.devices * apart * dense.dataParallel > plan::mostDevices)
        return fail(ErrorCode::BadValue,
                    "%1 devices of %2 accelerators in %3 replicas are more than %4 accelerators",
                    spec.devices, plainNumber(apart), dense.dataParallel, plan::mostDevices);
    PW_DO(checkPrecision(device, dense.precision));
    PW_DO(plan::checkShared(origin.model, c));
    const std::int64_t samples = std::int64_t{dense.microBatch} * dense.dataParallel;
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    c.globalBatch = static_cast<int>(std::min(samples, most / std::max(spec.microBatches, 1)) *
                                     std::max(spec.microBatches, 1));
    planned.cluster = plan::shippedCluster(device, c.devices());
    return planned;
}

Result<Costs> costsOf(const CostOrigin& origin, const PipelineSpec& spec)
{
    const LanguageModel& model = origin.model;
    PW_DO(check(model));
    PW_DO(check(spec));
    PW_TRY(const LayerSplit split, parseSplit(origin.split, model.dense.layers, spec.stages()));
    PW_DO(checkTogether(model, spec, split));
    PW_TRY(PlannedOrigin planned, plannedOrigin(origin, spec));
    plan::Configuration& c = planned.configuration;
    for (const StageContent& stage : split)
        c.split.push_back(stage.layers);
    Costs costs = plan::costsOf(model, planned.cluster, c,
                                plan::piecesOf(model, planned.cluster, c), spec, c.split);
    plan::addStanding(costs, model, planned.cluster, c, spec, plan::engineBytes(model, c, spec));
    plan::addUpdates(costs, model, planned.cluster, c, spec);
    PW_DO(checkLengths(costs, spec.segmentLengths.size(), planned.cluster.device.name));
    PW_DO(check(costs, spec));
    return costs;
}

Result<Bytes> usableMemory(std::string_view hardware)
{
    PW_TRY(const Accelerator device, findAccelerator(hardware));
    return plan::wholeBytes(device.memory - device.reserved);
}

} // namespace pw
