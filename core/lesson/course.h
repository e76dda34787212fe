// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <string>
#include <vector>

namespace pw {

/// The file that the `next` of a lesson names: beside its own, with the ending .json, and a name
/// alone, no way out of the folder. Empty: none is there, or a lesson of the program is meant.
/// @param folder  of the lesson's own file; empty: it is part of the program
std::string fileOfNext(const Lesson& lesson, const std::string& folder);

/// What is wrong with the way on from a lesson, a sentence each: a `next` that leads nowhere, to
/// what cannot be read, or in a circle. Reads at most a hundred lessons.
std::vector<std::string> checkWay(const Lesson& lesson, const std::string& folder);

} // namespace pw
