// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <string>
#include <vector>

namespace pw {

/// The medals of a level that every solution wins, since their quantity cannot vary: "time",
/// "memory", "messages". Messages follow from the placement, which only choices change; a goal that
/// asks for the par leaves nothing above it; a goal that names an order leaves nothing at all.
std::vector<std::string> giftsOf(const LessonLevel& level);

} // namespace pw
