// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/cost_origin.h"

#include "core/cost/accelerator.h"

namespace pw {

std::int64_t tokensOfMicroBatch(const LanguageModel& model)
{
    return static_cast<std::int64_t>(model.dense.microBatch) * model.dense.sequence;
}

std::string text(const CostOrigin& origin)
{
    const TransformerModel& dense = origin.model.dense;
    const Result<Accelerator> device = findAccelerator(origin.hardware);
    return dense.name + " (" + std::to_string(dense.layers) + " layers, " + origin.split +
           " split) on " + (device ? std::string(device->title) : origin.hardware) +
           ", micro-batch of " + std::to_string(dense.microBatch) + " × " +
           std::to_string(dense.sequence) + " tokens";
}

} // namespace pw
