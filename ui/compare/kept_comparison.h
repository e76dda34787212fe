// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/kept_answers.h"
#include "ui/compare/compared.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::ui {

/// Rows as a kept comparison has them for programs: figures as `pipewright compare --json` tells
/// them, and what the row is made from again.
/// @error BadValue  what no project file can hold
Result<std::string> comparisonData(const std::vector<ComparedRow>& rows);

/// A row of a kept comparison: a project, or an iteration of a run, or why it had no figures.
struct KeptRow
{
    QString title;
    QString refusal;     ///< why it was not shown
    std::string project; ///< text of a project file; empty: it is a run's
    std::int64_t run = 0;
    std::int32_t iteration = 0;
};

/// @error Syntax    the data is none of a comparison
/// @error BadValue  a row does not say what it was made from, as earlier versions kept them
Result<std::vector<KeptRow>> keptRows(std::string_view data);

/// Simulates what a row was made from.
Result<ComparedPtr> comparedProject(const QString& title, const std::string& project);

} // namespace pw::ui
