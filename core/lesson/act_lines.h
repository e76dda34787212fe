// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/lesson/lesson.h"

#include <string>
#include <string_view>

// Acts of a demonstration as lines that a person edits; nobody but `step_parts` and `step_stand`
// includes this.
namespace pw {

/// An act of a file as a line: "place 0 F0 F1", "place 1 BW0 at 2", "move 0 3 1", "remove 0 3",
/// "shift 1:B0.1 -2", "interval 6", "stamp 4", "layer 0 1", "toggle 0 F3", "clear", "reorder"; all
/// else is its JSON.
std::string actLine(const JsonValue& act);

/// The act that a line means. @error BadValue  it means none; as of `parseJson`
Result<JsonValue> actOf(std::string_view line, JsonPool& pool);

} // namespace pw
