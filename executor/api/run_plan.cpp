// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/run_plan.h"

#include <algorithm>
#include <numeric>

namespace pw::exec {

double usualMomentum(OptimizerKind kind)
{
    return kind == OptimizerKind::Muon ? 0.95 : 0.9;
}

int stateCount(const Optimizer& optimizer)
{
    const int ofStepBefore = optimizer.delayCorrection > 0 ? 1 : 0;
    switch (optimizer.kind) {
    case OptimizerKind::Sgd:
        return 1 + ofStepBefore;
    case OptimizerKind::AdamW:
    case OptimizerKind::Muon:
        return 2 + ofStepBefore;
    }
    return 0;
}

namespace {

Result<void> inRange(const char* field, std::int64_t value, std::int64_t least, std::int64_t most)
{
    if (value >= least && value <= most)
        return {};
    return fail(ErrorCode::BadValue, "model: %1 is %2, not from %3 to %4", field, value, least,
                most);
}

} // namespace

Result<void> check(const GptModel& model)
{
    constexpr std::int64_t widest = 1 << 20;
    for (const Result<void>& field :
         {inRange("layers", model.layers, 1, 65'536), inRange("hidden", model.hidden, 1, widest),
          inRange("heads", model.heads, 1, widest), inRange("ffn", model.ffn, 0, 4 * widest),
          inRange("sequence", model.sequence, 1, widest),
          inRange("vocabulary", model.vocabulary, 2, 4 * widest),
          inRange("samples", model.samples, 1, widest)}) {
        if (!field)
            return field;
    }
    if (model.hidden % model.heads != 0)
        return fail(ErrorCode::BadValue, "model: hidden is %1, which %2 heads do not divide",
                    model.hidden, model.heads);
    if (model.flashAttention && model.headSize() > GptModel::widestFlash)
        return fail(ErrorCode::BadValue,
                    "model: a head is %1 wide; flash attention takes at most %2", model.headSize(),
                    GptModel::widestFlash);
    if (model.tf32 && model.element != Element::Float32)
        return fail(
            ErrorCode::BadValue,
            "model: TF32 is a way to multiply 32-bit floats, and the model computes in bfloat16");
    return {};
}

Result<std::vector<int>> segmentTokens(const PipelineSpec& spec, const GptModel& model)
{
    const std::vector<int>& lengths = spec.segmentLengths;
    const std::int64_t whole = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    std::vector<int> tokens;
    std::int64_t passed = 0;
    std::int64_t placed = 0;
    for (const int length : lengths) {
        passed += length;
        const std::int64_t end = (passed * model.sequence + whole / 2) / whole;
        tokens.push_back(static_cast<int>(end - placed));
        if (end == placed)
            return fail(ErrorCode::BadValue, "segment %1 of %2 has no token of a sequence of %3",
                        tokens.size() - 1, lengths.size(), model.sequence);
        placed = end;
    }
    return tokens;
}

namespace {

/// Later segments attend to the keys and values of the earlier ones, and add to their gradients.
Result<void> checkSegments(const Costs& costs, const PipelineSpec& spec)
{
    const int last = spec.segments() - 1;
    for (const Pass& cell : costs.offload.cells) {
        if (cell.segment < last)
            return fail(
                ErrorCode::BadSchedule,
                "a run cannot offload what %1 leaves: the segments behind it read its keys and "
                "values; the last segment of a micro-batch, %2 here, can go to the host's memory",
                describe(cell, spec), last);
    }
    return {};
}

} // namespace

Result<Program> programOf(const Schedule& schedule, const Costs& costs)
{
    Result<Program> program = lower(schedule);
    if (!program)
        return program;
    if (const Result<void> added = addHostMoves(*program, schedule, costs); !added)
        return fail(added.error());
    return program;
}

Result<RunPlan> makePlan(Schedule schedule, Costs costs, GptModel model, LayerSplit split)
{
    const PipelineSpec& spec = schedule.spec();
    if (const Result<void> good = checkSegments(costs, spec); !good)
        return fail(good.error());
    if (const Result<void> good = check(model); !good)
        return fail(good.error());
    if (const Result<void> good = pw::check(split, model.layers, spec.stages()); !good)
        return fail(good.error());
    if (const Result<std::vector<int>> tokens = segmentTokens(spec, model); !tokens)
        return fail(tokens.error());
    Result<Program> program = programOf(schedule, costs);
    if (!program)
        return fail(program.error());
    if (const Result<void> good = proveProgress(schedule, *program, spec.messages); !good)
        return fail(good.error());
    return RunPlan{.schedule = std::move(schedule),
                   .program = std::move(*program),
                   .costs = std::move(costs),
                   .model = model,
                   .split = std::move(split)};
}

Result<void> shardOptimizer(RunPlan& plan)
{
    if (plan.shardedOptimizer)
        return {};
    if (plan.model.element != Element::Float32)
        return fail(ErrorCode::BadValue,
                    "a sharded optimizer works on 32-bit floats, and the model computes in "
                    "bfloat16; without --bf16 it is possible");
    if (plan.optimizer.kind == OptimizerKind::Muon)
        return fail(ErrorCode::BadValue,
                    "Muon needs whole matrices, and a sharded optimizer has only parts of them; "
                    "without --zero-1, or with --optimizer adamw, the run is possible");
    Program program = plan.program;
    if (const Result<void> good = pw::shardOptimizer(program, plan.schedule); !good)
        return good;
    const MessageRule rule = plan.schedule.spec().messages;
    if (const Result<void> good = proveProgress(plan.schedule, program, rule); !good)
        return good;
    plan.program = std::move(program);
    plan.shardedOptimizer = true;
    // The first share is the largest.
    const Bytes ofOne = static_cast<Bytes>(sizeof(float)) * stateCount(plan.optimizer);
    for (Bytes& bytes : plan.costs.optimizer)
        bytes = ofOne * shardStart(bytes / ofOne, 1, plan.schedule.spec().routeCount());
    return {};
}

Result<void> checkBackend(const RunPlan& plan, std::string_view backend)
{
    const auto refuse = [&](const char* what) {
        return fail(ErrorCode::BadValue, "the backend %1 does not %2; --backend cpu does", backend,
                    what);
    };
    if (plan.postValidation && !plan.program.moves.empty())
        return fail(
            ErrorCode::BadValue,
            "activations in the host's memory and forwards that may be taken back do not go "
            "together: without --post-validation, or without --offload, the run is possible");
    if (plan.hint > 0 && !plan.program.moves.empty())
        return fail(ErrorCode::BadValue,
                    "activations in the host's memory need the order as it is: without --hint, or "
                    "without --offload, the run is possible");
    if (backend == "cpu")
        return {};
    if (plan.optimizer.clipNorm > 0 && backend == "emulated")
        return refuse("clip gradients by their norm");
    if (plan.optimizer.kind == OptimizerKind::Muon && backend != "emulated")
        return refuse("have Muon");
    if (plan.optimizer.delayCorrection > 0)
        return refuse("correct the delay of gradients");
    if (plan.shardedOptimizer && backend == "emulated")
        return refuse("shard the optimizer over replicas");
    return {};
}

Result<void> checkDelayCorrection(const RunPlan& plan)
{
    switch (plan.schedule.spec().updateRule) {
    case UpdateRule::DoubleBuffered:
        return {};
    case UpdateRule::Flush:
        return fail(ErrorCode::BadValue,
                    "no gradient of this schedule is old, so there is no delay to correct; those "
                    "of pipedream-2bw are one step old");
    case UpdateRule::Stashed:
        return fail(ErrorCode::BadValue,
                    "gradients of PipeDream are older on the first stages than on the last; the "
                    "correction is for a delay of one step, as pipedream-2bw has it");
    }
    return {};
}

Result<void> checkClipping(const RunPlan& plan)
{
    const Schedule& schedule = plan.schedule;
    const PipelineSpec& spec = schedule.spec();
    const auto refuse = [&](DeviceId rank, const Pass& pass, const std::string& why) {
        return fail(
            ErrorCode::BadValue,
            "the norm of all gradients cannot be known on rank %1: %2 %3; an order whose steps "
            "follow each other on every rank, such as any with one step, can be clipped",
            rank, describe(pass, spec), why);
    };
    if (spec.updateRule != UpdateRule::Flush)
        return fail(
            ErrorCode::BadValue,
            "the gradients of an asynchronous family have no norm in common: its ranks update at "
            "times of their own; a family that flushes, such as 1f1b, can be clipped");
    for (const DeviceId rank : Ids<DeviceId>(schedule.devices())) {
        int step = 0;
        bool updated = false;
        for (const EntryId i : schedule.entries(rank)) {
            const OrderEntry entry = schedule.entry(i);
            if (entry.pass.kind == PassKind::U) {
                if (entry.pass.microBatch < step)
                    return refuse(rank, entry.pass, "follows passes of the next step");
                step = entry.pass.microBatch;
                updated = true;
                continue;
            }
            const int last = entry.paired
                                 ? std::max(entry.pass.microBatch, entry.partner.microBatch)
                                 : entry.pass.microBatch;
            const int first = entry.paired
                                  ? std::min(entry.pass.microBatch, entry.partner.microBatch)
                                  : entry.pass.microBatch;
            if (last / spec.microBatches > (updated ? step + 1 : step))
                return refuse(rank, entry.pass, "stands before an update of the step before it");
            if (first / spec.microBatches < (updated ? step + 1 : step))
                return refuse(rank, entry.pass, "stands behind an update of its step");
            if (updated) {
                ++step;
                updated = false;
            }
        }
    }
    return {};
}

int totalSteps(const RunPlan& plan)
{
    return (plan.warmup + plan.iterations) * plan.schedule.spec().steps;
}

Ticks defaultPatience(Ticks makespan)
{
    constexpr Ticks least = 3'000 * ticksPerMs;
    constexpr Ticks most = 3'600'000 * ticksPerMs;
    return least + 3 * std::clamp(makespan, Ticks{0}, most);
}

} // namespace pw::exec
