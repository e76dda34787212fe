// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/model_text.h"

#include "core/base/text.h"
#include "executor/api/plan_settings.h"

namespace pw::exec {

std::string describe(const GptModel& model, const LayerSplit& split)
{
    std::string layers;
    for (const StageContent& stage : split)
        layers += (layers.empty() ? "" : ",") + std::to_string(stage.layers);
    return std::to_string(model.layers) + " layers (" + layers + "), hidden " +
           std::to_string(model.hidden) + ", " + countText(model.heads, "head") + ", vocabulary " +
           std::to_string(model.vocabulary) + ", micro-batch of " + std::to_string(model.samples) +
           " × " + std::to_string(model.sequence) + " tokens, " + std::string(name(model.element)) +
           (model.tf32 ? ", TF32 products" : "") +
           (model.flashAttention ? ", flash attention" : "");
}

} // namespace pw::exec
