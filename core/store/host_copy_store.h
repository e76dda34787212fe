// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/sqlite.h"
#include "core/store/stored_records.h"

#include <span>
#include <vector>

namespace pw {

/// Writes copies between devices and their hosts, as a part of the caller's transaction.
Result<void> keepCopies(Database& database, RunNumber run, std::span<const RecordedCopy> copies);

/// Those that a query asks for, by rank, then by start.
Result<std::vector<RecordedCopy>> readCopies(Database& database, const RecordQuery& query);

} // namespace pw
