// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <array>
#include <string>

namespace pw {

/// A table of a store: what its rows are called, and what no row of it can hold.
struct TableRule
{
    const char* table;
    const char* run;   ///< column with the number of the run
    const char* wrong; ///< SQL, true of a wrong row
    const char* what;  ///< of that row, behind its count
};

/// The tables of a store with whose rows a run can be put together again; `run` comes first.
extern const std::array<TableRule, 34> tableRules;

/// The columns that a table's rows are kept by, behind the run.
std::string rowOrderOf(const std::string& table);

} // namespace pw
