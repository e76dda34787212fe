// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/alternative.h"
#include "ui/panels/details_panel.h"

#include <vector>

namespace pw::ui {

/// What stands beside the table about a row, and what would help the best one.
/// @param row, base  null: there is none
PageDetails detailsOf(const Alternative* row, const Alternative* base,
                      const std::vector<RankHelp>& help);

/// How many rows there are, and of what sorts, in a line.
QString rankingFigures(const std::vector<Alternative>& rows, qint64 nanoseconds, bool sweeping);

/// A row as a project of its own.
/// @error  why it cannot be one
Result<Project> projectOf(const Alternative& row, const RankQuestion& question);

} // namespace pw::ui
