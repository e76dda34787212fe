// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/par.h"

#include <cstdint>
#include <string>

namespace pw {

/// A lesson of one level about the passes of a project, as the text of its file: the order is free,
/// the times are locked, and the goal is to be as fast as the project's own order. The par is
/// proven by search.
///
/// @param title     of the lesson
/// @param mostNodes of each search
/// @error BadValue  more than lessons can say: routes, segments, updates, overlapped pairs, times
/// of
///                  single passes; or a par that could not be proven in so many choices
Result<std::string> lessonOfProject(const Project& project, const std::string& title,
                                    std::int64_t mostNodes = usualParNodes);

/// Practice: a small pipeline with random times, a cap or none, split or not, in English and
/// German. The same seed gives the same lesson everywhere.
Result<std::string> practiceLesson(std::uint64_t seed);

} // namespace pw
