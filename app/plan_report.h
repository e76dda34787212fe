// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/plan_options.h"
#include "app/screen.h"

#include <string>

namespace pw::app {

/// A JSON object: the rows that are wanted, or the nearest where none fits, and those without a
/// flush.
std::string planJson(const PlanQuestion& question, const plan::PlanTable& table);

/// The ranked table, and the rows that none beats in both time and memory.
std::string planTables(const PlanQuestion& question, const plan::PlanTable& table,
                       const Screen& screen);

/// Every term of a row: seconds of the iteration and bytes of every pipeline rank.
std::string whyText(const PlanQuestion& question, const plan::Evaluation& row,
                    const Screen& screen);

/// What one more GPU, 10 % more memory and twice the links would bring, a line each.
std::string planWhatIfs(const PlanQuestion& question, const plan::PlanTable& table,
                        const std::atomic<bool>& stop);

/// Why nothing fits, and the least that would change it. @pre no row
/// @param stop  asks to end the searches for that early; null: never
std::string nothingFitsText(const PlanQuestion& question, const plan::PlanTable& table,
                            const std::atomic<bool>* stop = nullptr);

} // namespace pw::app
