// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/measured.h"

#include <string>
#include <vector>

// Tables of measured iterations as others publish them.
namespace pw::bench {

/// All rows of an accelerator in the folder, with what their source says of them outside of its
/// tables. @param only  a table; "": all
std::vector<plan::MeasuredRow> measuredRows(const std::string& folder, const std::string& hardware,
                                            const std::string& only);

/// Prints how well the constants that ship meet every table of a folder, by accelerator, precision
/// and whether the model has experts. @param list  every row too
void judgeSets(const std::string& folder, bool list);

/// Prints constants for an accelerator from all of its rows in the folder. @param only  a table;
/// "": all
void fitSets(const std::string& folder, const std::string& hardware, const std::string& only);

/// Prints how well rows are met by constants that were fitted to others, by table, precision and
/// whether the model has experts: to all rows (in sample), to those of other models, and to half of
/// the configurations. @param hardware  "": all that have rows
void crossSets(const std::string& folder, const std::string& hardware);

/// Prints how well constants from six rows of an accelerator meet its others, for many choices of
/// the six, table by table: mean error in the mean, the median and nine of ten choices, beside that
/// of constants that were fitted to all rows. Once more without rows whose software has a known
/// cause of other times.
void tryFewRows(const std::string& folder, const std::string& hardware);

} // namespace pw::bench
