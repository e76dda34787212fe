// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/recognise.h"
#include "core/io/json_text.h"

#include <string>
#include <vector>

namespace pw::app {

/// A line for each entry that stands elsewhere than in the family that an order is, or is like.
std::vector<std::string> displacedLines(const Recognition& recognition, const Schedule& schedule);

/// What an order is called, as the fields `families`, `like` (null where there is none) and
/// `displaced` of an object.
///
/// @param schedule  the order; null: none is known, and `displaced` is empty
void familyJson(JsonText& json, const Recognition& recognition, const Schedule* schedule);

} // namespace pw::app
