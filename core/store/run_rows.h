// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/sqlite.h"
#include "core/store/stored_records.h"

namespace pw {

/// The beginning of a query for runs; a row of its answer is what `readRun` reads.
extern const char* const runColumns;

/// A run as lists have it, without its devices. What no run can have, the row refuses.
StoredRun readRun(const Statement& row);

} // namespace pw
