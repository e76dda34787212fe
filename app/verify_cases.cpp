// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/verify_cases.h"

#include "core/base/try.h"
#include "core/families/replicated_line.h"
#include "core/io/offload_text.h"
#include "core/model/recompute.h"
#include "core/model/replicas.h"
#include "core/model/stage_replicas.h"
#include "executor/api/transport.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/verify/verification.h"

#include <algorithm>
#include <numeric>

namespace pw::app {

namespace {

constexpr int steps = 3;
constexpr int cutInto = 3; ///< segments of a family that has none

/// Every size odd or unlike the others, so that a mixed-up pair of them shows.
exec::GptModel oddModel(int stages, exec::Element element)
{
    exec::GptModel model{.layers = stages + 1,
                         .hidden = 12,
                         .heads = 3,
                         .ffn = 20,
                         .sequence = 7,
                         .vocabulary = 11,
                         .samples = 2,
                         .element = element};
    // Roundings to 8 bits average out over a row. In one of 12 numbers a single one may turn the
    // gradients below it by a fifth.
    if (element == exec::Element::BFloat16) {
        model.hidden = 48;
        model.ffn = 60;
    }
    return model;
}

bool canBe(const VerifyCase& one)
{
    return specOf(*one.family, one.options).has_value();
}

/// The last shape up to `most` micro-batches that the family can do; none where it can do none.
std::optional<VerifyCase> lastUpTo(const VerifyCase& plain, int most)
{
    VerifyCase one = plain;
    for (one.options.microBatches = most; one.options.microBatches >= 1;
         --one.options.microBatches) {
        if (canBe(one))
            return one;
    }
    return std::nullopt;
}

/// Variants of one shape.
void appendVariants(const VerifyCase& plain, std::vector<VerifyCase>& cases)
{
    const auto add = [&cases](VerifyCase one, std::string variant) {
        one.variant = std::move(variant);
        cases.push_back(std::move(one));
    };
    const Result<PipelineSpec> spec = specOf(*plain.family, plain.options);
    const bool whole = spec && spec->segments() == 1;
    VerifyCase one = plain;
    one.recompute = true;
    add(one, "recompute");
    if (whole) {
        one.offload = true;
        add(one, "offload, recompute");
        one.recompute = false;
        add(one, "offload");
        one = plain;
        one.recompute = true;
    }
    if (whole) {
        one.segments = cutInto;
        add(one, std::to_string(cutInto) + " segments, recompute");
        one.recompute = false;
        add(one, std::to_string(cutInto) + " segments");
    } else if (spec) {
        one = plain;
        one.options.segmentLengths.assign(static_cast<std::size_t>(spec->segments()), 1);
        one.options.segmentLengths.front() = 2;
        add(one, "unequal segments");
    }
    one = plain;
    one.options.updates = true;
    one.options.steps = plain.options.steps == 1 ? 2 : 2 * plain.options.steps;
    one.iterations = plain.options.steps == 1 ? 2 : 1;
    add(one, std::to_string(one.options.steps) + " steps in the order");
    if (plain.iterations == 1) {
        one = plain;
        one.iterations = 2;
        add(one, "twice");
    }
}

/// Other values of the family's own parameters.
void appendParameters(const VerifyCase& plain, std::vector<VerifyCase>& cases)
{
    for (const Parameter& parameter : plain.family->parameters) {
        if (!parameter.integer())
            continue;
        const double usual = parameterValue(*plain.family, plain.options, parameter.name);
        for (const double value : {parameter.minimum, usual + 1, usual + 2}) {
            if (value == usual || value > parameter.maximum)
                continue;
            VerifyCase one = plain;
            one.options.parameters.emplace_back(parameter.name, value);
            one.variant = describe(parameter, value);
            if (canBe(one))
                cases.push_back(std::move(one));
        }
    }
}

/// Stages with replicas of their own on as many devices: the first stage twice, the second one
/// twice, all of them, and numbers of which none divides the other.
void appendStageReplicas(const VerifyCase& plain, std::vector<VerifyCase>& cases)
{
    const Result<PipelineSpec> spec = specOf(*plain.family, plain.options);
    const int devices = plain.options.devices;
    if (!spec || spec->routeCount() != 1 ||
        spec->routes.front() != Placement::linear(spec->devices) || devices < 2)
        return;
    std::vector<std::vector<int>> all;
    const auto once = static_cast<std::size_t>(devices - 1);
    for (std::size_t stage = 0; stage < std::min<std::size_t>(once, 2); ++stage) {
        all.emplace_back(once, 1);
        all.back()[stage] = 2;
    }
    if (devices > 2 && devices % 2 == 0)
        all.emplace_back(static_cast<std::size_t>(devices / 2), 2);
    if (devices >= 4)
        all.push_back({1, devices - 1});
    if (devices > 4)
        all.push_back({2, 3, devices - 5});
    for (std::vector<int>& replicas : all) {
        std::erase(replicas, 0);
        VerifyCase one = plain;
        one.options.devices = static_cast<int>(replicas.size());
        const int turn = stageReplicaTurn(replicas);
        one.options.microBatches = (plain.options.microBatches + turn - 1) / turn * turn;
        one.variant = "replicas of stages";
        for (std::size_t stage = 0; stage < replicas.size(); ++stage)
            one.variant += (stage == 0 ? " " : ",") + std::to_string(replicas[stage]);
        one.stageReplicas = std::move(replicas);
        // The order comes from a line of devices.
        VerifyCase line = one;
        const std::vector<int> places = linePlaces(one.stageReplicas, spec->segments());
        line.options.devices = std::accumulate(places.begin(), places.end(), 0);
        if (!canBe(one) || !canBe(line))
            continue;
        cases.push_back(one);
        one.recompute = true;
        one.variant += ", recompute";
        cases.push_back(one);
        if (spec->segments() > 1) {
            one.options.segmentLengths.assign(static_cast<std::size_t>(spec->segments()), 1);
            one.options.segmentLengths.front() = 2;
            one.variant += ", unequal segments";
        } else {
            one.segments = cutInto;
            one.variant += ", " + std::to_string(cutInto) + " segments";
        }
        cases.push_back(std::move(one));
    }
}

/// What goes to the host, over a link on which the largest copy takes as long as a forward: some
/// passes wait, and some copies are hidden.
Result<void> offloadCase(const VerifyCase& one, const VerifyGrid& grid, const PipelineSpec& spec,
                         Costs& costs)
{
    const std::string text = one.offload ? "all" : grid.offload;
    if (text.empty())
        return {};
    PW_TRY(costs.offload.cells, parseOffload(text, spec));
    Bytes largest = 0;
    for (const ActivationCost& cost : costs.activation)
        largest = std::max(largest, cost.activation);
    const Ticks forward = *std::max_element(costs.forward.begin(), costs.forward.end());
    costs.offload.link.bytesPerSecond =
        static_cast<double>(largest) / static_cast<double>(forward) * 1e9;
    return {};
}

} // namespace

std::vector<VerifyCase> casesOf(const Family& family, const VerifyGrid& grid)
{
    std::vector<VerifyCase> cases;
    for (const int devices : grid.devices) {
        std::vector<int> counts = grid.microBatches;
        if (counts.empty()) {
            constexpr std::size_t times = 4;
            counts.resize(times * static_cast<std::size_t>(devices));
            std::iota(counts.begin(), counts.end(), 1);
        }
        VerifyCase plain;
        plain.family = &family;
        plain.options.devices = devices;
        plain.options.microBatches = 2 * devices;
        plain.iterations = steps;
        if (const Result<PipelineSpec> spec = specOf(family, plain.options);
            spec && spec->updateRule != UpdateRule::Flush) {
            // Asynchronous rules show over the steps of one execution.
            plain.options.steps = steps;
            plain.iterations = 1;
        }
        for (const int count : counts) {
            VerifyCase one = plain;
            one.options.microBatches = count;
            cases.push_back(std::move(one));
        }
        if (!grid.variants)
            continue;
        // An even count of micro-batches, and one that is not, where the family takes it.
        const int most = *std::max_element(counts.begin(), counts.end());
        std::optional<VerifyCase> even = lastUpTo(plain, std::min(2 * devices, most));
        std::optional<VerifyCase> odd = lastUpTo(plain, std::min(2 * devices - 1, most));
        if (even)
            appendVariants(*even, cases);
        if (odd && even && odd->options.microBatches != even->options.microBatches)
            appendVariants(*odd, cases);
        if (even)
            appendParameters(*even, cases);
        if (even && (grid.replicas == 1 || grid.impliedReplicas))
            appendStageReplicas(*even, cases);
    }
    return cases;
}

Result<exec::RunPlan> planOf(const VerifyCase& one, const VerifyGrid& grid)
{
    PW_TRY(const PipelineSpec spec, specOf(*one.family, one.options));
    const Costs equal = expand(UniformCosts{}, spec);
    Result<Schedule> schedule =
        one.stageReplicas.empty()
            ? one.family->build(spec, one.options, equal)
            : buildOnStageReplicas(*one.family, one.options, equal, one.stageReplicas);
    if (schedule && one.segments > 0)
        schedule = exec::withSegments(*schedule,
                                      std::vector<int>(static_cast<std::size_t>(one.segments), 1));
    if (schedule && one.recompute && !schedule->anyRecompute())
        schedule = withRecompute(*schedule);
    if (schedule && one.stageReplicas.empty())
        schedule = withReplicas(*schedule, grid.replicas);
    if (!schedule)
        return fail(schedule.error());
    exec::GptModel model = oddModel(spec.stages(), grid.element);
    model.flashAttention = grid.flashAttention;
    if (model.flashAttention && model.element == exec::Element::BFloat16)
        model.hidden = 16 * model.heads; // the least heads that tensor cores take
    PW_TRY(const LayerSplit split, evenSplit(model.layers, spec.stages()));
    Costs costs = expand(UniformCosts{}, schedule->spec());
    exec::Optimizer optimizer = grid.optimizer;
    if (schedule->spec().updateRule != UpdateRule::DoubleBuffered)
        optimizer.delayCorrection = 0; // nothing to correct
    PW_DO(exec::setBytes(costs, schedule->spec(), model, split, optimizer));
    PW_DO(offloadCase(one, grid, schedule->spec(), costs));
    Result<exec::RunPlan> plan =
        exec::makePlan(std::move(*schedule), std::move(costs), model, split);
    if (!plan)
        return plan;
    constexpr Ticks patience = 60'000 * ticksPerMs; // a machine may be very busy
    plan->patience = patience;
    plan->title = std::string(one.family->title);
    plan->family = std::string(one.family->id);
    plan->optimizer = optimizer;
    plan->postValidation = grid.postValidation;
    if (grid.optimizer.clipNorm > 0) {
        PW_DO(exec::checkClipping(*plan));
    }
    if (grid.shardedOptimizer) {
        PW_DO(exec::shardOptimizer(*plan));
    }
    plan->seed = grid.seed;
    plan->iterations = one.iterations;
    return plan;
}

Result<const exec::ReferenceRun*> References::of(const exec::RunPlan& plan)
{
    const PipelineSpec& spec = plan.schedule.spec();
    const bool flushed = spec.updateRule == UpdateRule::Flush;
    const Key key{spec.stages(), spec.microBatches, spec.steps, plan.iterations};
    if (flushed) {
        if (const auto known = m_flushed.find(key); known != m_flushed.end())
            return &known->second;
    }
    const exec::RunClock clock;
    const std::unique_ptr<exec::Ops> ops = exec::makeCpuOps(clock);
    // The CPU computes in floats; what rounding to fewer bits does is in the allowed error.
    exec::RunPlan precise = plan;
    precise.model.element = exec::Element::Float32;
    precise.model.flashAttention = false; // the reference keeps its probabilities
    PW_TRY(exec::ReferenceRun run, exec::trainReference(precise, *ops));
    if (flushed)
        return &m_flushed.insert_or_assign(key, std::move(run)).first->second;
    m_last = std::move(run);
    return &m_last;
}

} // namespace pw::app
