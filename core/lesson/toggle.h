// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "core/lesson/lesson.h"

#include <optional>
#include <vector>

namespace pw {

// Levels in which a person says yes or no of passes: whose activations are offloaded, and what
// makes them longer is mended.

/// Which causes of a level of repairs a project has mended; none: its times are others than any
/// repairs leave.
std::optional<std::vector<bool>> mendedOf(const LessonLevel& level, const Project& project);

/// The project of a level with these causes mended, all others as they were.
Project withMended(const LessonLevel& level, Project project, const std::vector<bool>& mended);

/// The other answer for a pass: its activation is offloaded, or stays; what makes it longer is
/// mended, or is there again.
/// @error BadValue  nothing makes the pass longer, or as many are mended as may be; nothing of this
///                  kind is free in the level
Result<Edit> toggle(const LessonLevel& level, const Project& project, const Pass& pass);

} // namespace pw
