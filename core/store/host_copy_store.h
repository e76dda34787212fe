// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/sqlite.h"
#include "core/store/run_store.h"

#include <span>

namespace pw {

/// Writes copies between devices and their hosts, as a part of the caller's transaction.
Result<void> keepCopies(Database& database, RunNumber run, std::span<const RecordedCopy> copies);

} // namespace pw
