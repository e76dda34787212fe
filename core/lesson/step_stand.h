// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/lesson/lesson.h"

// What stands in a level, written into its file; nobody but `step_parts` includes this.
namespace pw {

/// What stands becomes what a level begins with.
/// @param object  of the level in the file
/// @error BadValue  a level of choices or repairs begins with what its file says
Result<void> setStart(JsonDocument& document, JsonValue& object, const LessonLevel& level,
                      const Project& project);

/// What stands becomes what the demonstration ends with.
/// @error BadValue  it is none of the level: no choice of it is made, its layers or times are
/// others
Result<void> setDemonstration(JsonDocument& document, JsonValue& object, const LessonLevel& level,
                              const Project& project);

/// What a person has done between two states of a level, as acts of a file.
/// @param before  as the level began, or became since
/// @error BadValue  as `setDemonstration`
Result<JsonValue> actsBetween(JsonDocument& document, const LessonLevel& level,
                              const Project& before, const Project& after);

} // namespace pw
