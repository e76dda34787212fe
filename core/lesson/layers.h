// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "core/lesson/lesson.h"

#include <optional>
#include <vector>

namespace pw {

/// What passes take and keep with so many layers on each stage; messages and parts of an activation
/// are those of the start.
Costs costsOfLayers(const LessonLayers& layers, const Project& start,
                    const std::vector<int>& split);

/// Layers of each stage of a project in a level of layers; none: its times are those of no split.
std::optional<std::vector<int>> layersOf(const LessonLevel& level, const Project& project);

/// A layer from one stage to another. @error BadValue  no such stage, or it has one layer only
Result<Edit> moveLayer(const LessonLevel& level, const Project& project, int from, int to);

} // namespace pw
