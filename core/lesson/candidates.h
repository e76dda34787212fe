// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <cstdint>
#include <functional>

namespace pw {

/// Calls with every project that a level of choices, layers, offloads or repairs can come to.
///
/// @param most  of them
/// @return whether those were all; of other levels there are none
/// @error  of a choice that cannot be made
Result<bool> eachCandidate(const LessonLevel& level, std::int64_t most,
                           const std::function<Result<void>(const Project&)>& take);

} // namespace pw
