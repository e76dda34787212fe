// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/sqlite.h"

#include <string>

namespace pw {

/// Makes an empty store where no file is. It appears whole or not at all, whoever else makes it at
/// the same time and whenever the program is killed.
///
/// @error Io  the folder cannot be written; a file that is there by now is no error
Result<void> makeStoreFile(const std::string& path);

/// Whether a store may lie at a path: nothing is there yet, or a file, and no folder or device,
/// beside which SQLite would put files of its own.
///
/// @error Io  says what is there
Result<void> checkStorePlace(const std::string& path);

/// Whether a file has anything in it, or beside it in a log that SQLite has still to write back.
bool isEmptyFile(const std::string& path);

/// Looks for damage where it is likely or quickly looked for: in a store that a program left
/// without an end of its run, and in a small one. Runs without a living writer are then marked as
/// incomplete, so that one unclean end is looked into once.
///
/// @error Io  names the file and the first damage
Result<void> checkBeforeWriting(Database& database);

} // namespace pw
