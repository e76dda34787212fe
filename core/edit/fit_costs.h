// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"

#include <optional>
#include <variant>

namespace pw {

/// Equal stages that have exactly these tables.
///
/// @error BadValue  what equal stages cannot have: the first stage or link that differs, or a table
///                  that they do not have, with the numbers
Result<UniformCosts> uniformOf(const Costs& costs, const PipelineSpec& spec);

/// Equal stages, and a cap of every device's activation beside them, which only tables have; 0:
/// none.
struct EqualStages
{
    UniformCosts costs;
    Share shareCap = 0;
};

/// What a project's costs are as equal stages; none where its tables are others, or a model's.
std::optional<EqualStages> equalStagesOf(const Project& project);
/// The costs of a project with them: tables only where there is a cap of activations.
std::variant<UniformCosts, Costs> costsOf(const EqualStages& stages, const PipelineSpec& spec);

/// Equal stages with as much work in all; what they cannot have is left out.
UniformCosts meanOf(const Costs& costs, const PipelineSpec& spec);

/// Makes the costs of a project fit its shape after that has changed.
///
/// Equal stages always fit. Tables from a model are made again, with a memory cap that was the same
/// on all devices. Other tables stay where they still fit; tables with the same numbers for every
/// stage take on more or fewer stages of the kind.
///
/// @param before   shape that the costs fit
/// @error BadValue, TooLarge  why they cannot; the project is as before
Result<void> fitCosts(Project& project, const PipelineSpec& before);

/// Where the full recompute of a model belongs in a project's schedule: to R passes where it has
/// them.
RecomputeIn recomputeInOf(const Project& project);

} // namespace pw
