// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

#include <string>
#include <vector>

namespace pw::app {

/// OUT of `convert INPUT [OUT]`: the second word, else "-" for standard output.
std::string outOf(const Arguments& arguments);

/// Writes a file whole, or to standard output, as OUT says.
Outcome putFile(const std::string& content, const Arguments& arguments, Console& console);

/// Figures and films, which the studio draws without a display: names of --to.
const std::vector<std::string>& drawnTargets();
bool isDrawn(const std::string& target);

/// Whether a word names a lesson: one that is part of the program, or a file of one.
bool isLesson(const std::string& word);

/// `convert INPUT OUT` as a figure or a film of a schedule, or the handout of a lesson.
Outcome convertToDrawing(const std::string& target, const Arguments& arguments);

/// `convert INPUT [OUT]` as a web page of a schedule, to be played, or with --interactive changed.
Outcome convertToPage(const Arguments& arguments, Console& console);

} // namespace pw::app
