// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/json_fields.h"
#include "core/model/annotation.h"
#include "core/model/costs.h"

#include <array>
#include <string_view>
#include <vector>

// What the reader and the writer of project files share; nobody else includes this.
namespace pw {

struct UniformField
{
    std::string_view name;
    std::int64_t UniformCosts::*value;
};

constexpr std::array<UniformField, 6> uniformFields = {{
    {"forward_ns", &UniformCosts::forward},
    {"backward_ns", &UniformCosts::backward},
    {"weight_ns", &UniformCosts::weight},
    {"hop_ns", &UniformCosts::hop},
    {"update_ns", &UniformCosts::update},
    {"activation_bytes", &UniformCosts::activation},
}};

struct TableField
{
    std::string_view name;
    std::vector<std::int64_t> Costs::*table;
};

constexpr std::array<TableField, 15> tableFields = {{
    {"forward_ns", &Costs::forward},
    {"backward_ns", &Costs::backward},
    {"weight_ns", &Costs::weight},
    {"fused_ns", &Costs::fused},
    {"recompute_ns", &Costs::recompute},
    {"pair_ns", &Costs::pair},
    {"update_ns", &Costs::update},
    {"forward_message_bytes", &Costs::forwardMessage},
    {"backward_message_bytes", &Costs::backwardMessage},
    {"weights_bytes", &Costs::weights},
    {"gradients_bytes", &Costs::gradients},
    {"optimizer_bytes", &Costs::optimizer},
    {"buffers_bytes", &Costs::buffers},
    {"workspace_bytes", &Costs::workspace},
    {"memory_cap_bytes", &Costs::memoryCap},
}};

struct ActivationField
{
    std::string_view name;
    std::int64_t ActivationCost::*value;
};

constexpr std::array<ActivationField, 6> activationFields = {{
    {"activation_bytes", &ActivationCost::activation},
    {"kept_for_weight_bytes", &ActivationCost::keptForWeight},
    {"stash_bytes", &ActivationCost::stash},
    {"share", &ActivationCost::share},
    {"kept_for_weight_share", &ActivationCost::keptForWeightShare},
    {"stash_share", &ActivationCost::stashShare},
}};

class JsonText;

/// What a project file says of activations in the host's memory.
Offload readOffload(JsonFields& fields, const PipelineSpec& spec);

/// What a project file has as annotations. @pre the field is there
std::vector<Annotation> readAnnotations(JsonFields& project, JsonFields::Failure& failure);
void writeAnnotations(JsonText& json, const std::vector<Annotation>& annotations);

} // namespace pw
