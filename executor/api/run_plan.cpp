// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/run_plan.h"

#include <algorithm>
#include <numeric>

namespace pw::exec {

namespace {

Result<void> inRange(const char* field, std::int64_t value, std::int64_t least, std::int64_t most)
{
    if (value >= least && value <= most)
        return {};
    return fail(ErrorCode::BadValue, std::string("model: ") + field + " is " +
                                         std::to_string(value) + ", not from " +
                                         std::to_string(least) + " to " + std::to_string(most));
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
        return fail(ErrorCode::BadValue, "model: hidden is " + std::to_string(model.hidden) +
                                             ", which " + std::to_string(model.heads) +
                                             " heads do not divide");
    if (model.flashAttention && model.headSize() > GptModel::widestFlash)
        return fail(ErrorCode::BadValue, "model: a head is " + std::to_string(model.headSize()) +
                                             " wide; flash attention takes at most " +
                                             std::to_string(GptModel::widestFlash));
    if (model.tf32 && model.element != Element::Float32)
        return fail(ErrorCode::BadValue, "model: TF32 is a way to multiply 32-bit floats, and the "
                                         "model computes in bfloat16");
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
            return fail(ErrorCode::BadValue, "segment " + std::to_string(tokens.size() - 1) +
                                                 " of " + std::to_string(lengths.size()) +
                                                 " has no token of a sequence of " +
                                                 std::to_string(model.sequence));
        placed = end;
    }
    return tokens;
}

Result<RunPlan> makePlan(Schedule schedule, Costs costs, GptModel model, LayerSplit split)
{
    const PipelineSpec& spec = schedule.spec();
    if (const Result<void> good = check(model); !good)
        return fail(good.error());
    if (const Result<void> good = pw::check(split, model.layers, spec.stages()); !good)
        return fail(good.error());
    if (const Result<std::vector<int>> tokens = segmentTokens(spec, model); !tokens)
        return fail(tokens.error());
    Result<Program> program = lower(schedule);
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
