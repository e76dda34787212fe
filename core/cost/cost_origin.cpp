// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/cost_origin.h"

#include "core/base/try.h"

namespace pw {

Result<Costs> costsOf(const CostOrigin& origin, const PipelineSpec& spec)
{
    PW_TRY(const Hardware machine, findHardware(origin.hardware));
    PW_DO(check(origin.model));
    PW_TRY(const LayerSplit split, parseSplit(origin.split, origin.model.layers, spec.stages()));
    return costsOf(origin.model, machine, spec, split, origin.recomputeIn);
}

std::int64_t tokensOfMicroBatch(const TransformerModel& model)
{
    return static_cast<std::int64_t>(model.microBatch) * model.sequence;
}

std::string text(const CostOrigin& origin)
{
    const Result<Hardware> machine = findHardware(origin.hardware);
    return origin.model.name + " (" + std::to_string(origin.model.layers) + " layers, " +
           origin.split + " split) on " +
           (machine ? std::string(machine->title) : origin.hardware) + ", micro-batch of " +
           std::to_string(origin.model.microBatch) + " × " + std::to_string(origin.model.sequence) +
           " tokens";
}

} // namespace pw
