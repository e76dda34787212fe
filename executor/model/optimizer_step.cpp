// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/optimizer_step.h"

#include "core/base/assert.h"
#include "executor/model/muon.h"

#include <algorithm>

namespace pw::exec {

namespace {

/// The arrays that one step works on; places count from the stage's first parameter.
struct StepArrays
{
    float* parameters;
    const float* gradients;
    float* first;  ///< of the states, from `OptimizerStep::begin` on
    float* second; ///< null: there is none
};

void updateStretch(Ops& ops, const OptimizerStep& step, const StepArrays& arrays,
                   const ParameterStretch& stretch)
{
    const std::int64_t begin = std::max(stretch.offset, step.begin);
    const std::int64_t end = std::min(stretch.offset + stretch.count, step.end);
    if (begin >= end)
        return;
    const std::int64_t state = begin - step.begin;
    ops.update(step.optimizer, step.number, end - begin, stretch.matrix, arrays.parameters + begin,
               arrays.gradients + begin, arrays.first + state,
               arrays.second == nullptr ? nullptr : arrays.second + state);
}

void updateWithMuon(Ops& ops, const OptimizerStep& step, const StepArrays& arrays)
{
    for (const ParameterInfo& each : step.parameters) {
        PW_ASSERT(each.offset >= step.begin && each.offset + each.size() <= step.end);
        if (each.ofLayer)
            muonStep(ops, step.optimizer,
                     {arrays.parameters + each.offset, each.rows, each.columns},
                     arrays.gradients + each.offset, arrays.first + (each.offset - step.begin));
        else
            updateStretch(ops, step, arrays, {each.offset, each.size(), each.matrix});
    }
}

void updateAsItIs(Ops& ops, const OptimizerStep& step, const StepArrays& arrays)
{
    if (step.optimizer.kind == OptimizerKind::Muon) {
        updateWithMuon(ops, step, arrays);
        return;
    }
    for (const ParameterStretch& stretch : step.stretches)
        updateStretch(ops, step, arrays, stretch);
}

} // namespace

void takeStep(Ops& ops, const OptimizerStep& step, float* parameters, const float* gradients,
              float* states)
{
    const std::int64_t count = step.end - step.begin;
    const double correction = step.optimizer.delayCorrection;
    const int ownStates = stateCount(step.optimizer) - (correction > 0 ? 1 : 0);
    const StepArrays arrays{parameters, gradients, states,
                            ownStates > 1 ? states + count : nullptr};
    if (correction <= 0 || count == 0) {
        updateAsItIs(ops, step, arrays);
        return;
    }
    const Bytes bytes = count * static_cast<Bytes>(sizeof(float));
    float* const before = states + ownStates * count;
    float* const here = parameters + step.begin;
    const Buffer buffer(ops, bytes, MemoryUse::Workspace);
    auto* const taken = static_cast<float*>(buffer.data());
    ops.copy(taken, here, bytes);
    updateAsItIs(ops, step, arrays);
    ops.scale(taken, -1, count);
    ops.addFloats(here, taken, count);
    if (step.late) {
        ops.scale(before, -correction, count);
        ops.addFloats(before, here, count);
    }
    ops.copy(before, taken, bytes);
    if (step.late) {
        ops.scale(taken, correction, count);
        ops.addFloats(taken, here, count);
    }
}

} // namespace pw::exec
