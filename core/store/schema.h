// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/sqlite.h"

namespace pw {

/// The version of the schema that this program writes.
constexpr int storeVersion = 15;

/// Marks a file as a store of runs: "PwRn" in SQLite's application_id.
constexpr std::int32_t storeApplicationId = 0x5077526e;

/// Version of a store's schema; 0 for an empty file.
///
/// @error Io       not SQLite, or SQLite of another program
/// @error Version  written by a later program, or no version at all
Result<int> schemaVersion(Database& database);

/// Whether every table of a store of some version is there, is a table with the columns of one, and
/// nothing in the file computes.
///
/// @error Io  names the table
Result<void> checkTables(Database& database, int version);

/// Whether no table of a file, whosever it is, has values that an expression in the file computes:
/// no column, index or virtual table. Reading such values runs what a stranger wrote.
///
/// @error Syntax  names the table and what computes; Io, where the file cannot be read
Result<void> refuseComputing(Database& database);

/// Takes a store from its version to a later one, all of it or nothing; an empty file becomes a new
/// store. Everything in it stays.
///
/// @param version  to end at; earlier ones are for tests
/// @error          as of `schemaVersion`
Result<void> migrate(Database& database, int version = storeVersion);

} // namespace pw
