// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/lesson/class_map.h"

#include <string>

namespace pw::app {

/// Where a class is stuck, for a screen: levels by persons, the levels that most are stuck in, the
/// commonest wrong answer of each question.
std::string classText(const ClassMap& map, const Screen& screen);

/// The map as a table for a spreadsheet: a line for each level, then one for each question. Cells
/// that a spreadsheet would compute are made text.
std::string classCsv(const ClassMap& map);

/// The same as a page without scripts.
std::string classHtml(const ClassMap& map);

} // namespace pw::app
