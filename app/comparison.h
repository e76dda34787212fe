// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/figures.h"
#include "app/study.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::app {

/// A schedule among others: its figures, or the reason why there are none.
struct ComparedRow
{
    std::string id;
    std::string title;
    std::string refusal; ///< empty where there are figures
    std::string size{};  ///< devices, micro-batches, and what the line adds to the schedule
    Figures figures{};
    std::optional<FormValue> spanForm{}, wallForm{}, peakForm{};
    std::optional<FormValue> spanPublished{}; ///< where a paper's tables have another value
    std::string costsText{};
    std::string carried{}; ///< how costs of another shape came to this one
    std::string project{}; ///< what it is made from again, where the answer is kept
};

/// The row of a study.
ComparedRow comparedRow(const std::string& id, const Study& study);

/// A reason as it stands in a table, beside the name that it may begin with.
std::string besideItsName(const std::string& id, std::string reason);

/// Whether each parameter on the line counts for one of the schedules at least: else it would
/// change nothing, silently.
/// @error Failure  names the one that none of them takes
tl::expected<void, Failure> checkOptionsCount(const std::vector<std::string>& ids,
                                              const Arguments& arguments);

/// A row for each word, a family or a file: "all" alone for every family. A parameter counts for
/// those that have it.
/// @error Failure  a wrong option, or one that none of the words takes
tl::expected<std::vector<ComparedRow>, Failure> comparedRows(const std::vector<std::string>& words,
                                                             const Arguments& arguments);

} // namespace pw::app
