// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

struct sqlite3;

namespace pw {

/// Puts functions that end in the place of SQLite's own where one call of those can take minutes,
/// which no time limit sees: `printf`, `format`, `replace`, `instr`, `trim`, `ltrim` and `rtrim`
/// answer as SQLite's do, in time that grows with their texts alone; a width or a precision is at
/// most 1,000 characters.
void boundFunctions(sqlite3* database);

/// Whether a question may call a function of this name: of SQLite's own, those whose calls end
/// soon.
bool mayBeCalled(const char* function);

} // namespace pw
