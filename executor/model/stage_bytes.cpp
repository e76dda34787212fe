// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/cell.h"
#include "executor/model/parameters.h"

namespace pw::exec {

namespace {

/// Shares as the bytes have them, for costs that know none.
std::vector<ActivationCost> sharesFor(const PipelineSpec& spec, const CellLayout& typical)
{
    const auto whole = static_cast<double>(typical.activation());
    return activationShares(spec, static_cast<double>(typical.heldForWeight()) / whole,
                            static_cast<double>(typical.stash()) / whole);
}

} // namespace

Result<void> setBytes(Costs& costs, const PipelineSpec& spec, const GptModel& model,
                      const LayerSplit& split, const Optimizer& optimizer)
{
    if (const Result<void> good = check(model); !good)
        return good;
    if (const Result<void> good = pw::check(split, model.layers, spec.stages()); !good)
        return good;
    const Result<std::vector<int>> tokens = segmentTokens(spec, model);
    if (!tokens)
        return fail(tokens.error());
    const auto stages = static_cast<std::size_t>(spec.stages());
    const std::size_t cells = stages * spec.segmentLengths.size();
    if (costs.activation.size() != cells)
        costs.activation = sharesFor(spec, CellLayout(model, split[stages / 2], *tokens, 0));
    costs.forwardMessage.assign(cells, 0);
    costs.backwardMessage.assign(cells, 0);
    costs.weights.assign(stages, 0);
    costs.gradients.assign(stages, 0);
    costs.optimizer.assign(stages, 0);
    // What another engine would have beside them.
    costs.buffers.clear();
    costs.workspace.clear();
    costs.fragments = 0;
    for (std::size_t s = 0; s < stages; ++s) {
        const StageId stage(s);
        for (int segment = 0; segment < spec.segments(); ++segment) {
            const CellLayout layout(model, split[s], *tokens, segment);
            const std::size_t cell = cellIndex(spec, stage, segment);
            costs.activation[cell].activation = layout.activation();
            costs.activation[cell].keptForWeight = layout.heldForWeight();
            costs.activation[cell].stash = layout.stash();
            if (s + 1 < stages)
                costs.forwardMessage[cell] = layout.inputBytes();
            if (s > 0)
                costs.backwardMessage[cell] = layout.inputBytes();
        }
        const std::vector<ParameterInfo> parameters = parametersOf(model, split, stage);
        const Bytes floats = parameterCount(parameters) * static_cast<Bytes>(sizeof(float));
        const bool masters = model.element == Element::BFloat16;
        costs.weights[s] = versionBytes(parameters, model.element);
        costs.gradients[s] = floats;
        costs.optimizer[s] = floats * (stateCount(optimizer) + (masters ? 1 : 0));
    }
    return {};
}

} // namespace pw::exec
