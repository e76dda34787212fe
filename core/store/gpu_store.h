// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/sqlite.h"
#include "core/store/run_store.h"

#include <span>

namespace pw {

/// Writes what GPUs said of themselves, as a part of the caller's transaction.
Result<void> keepGpuReadings(Database& database, RunNumber run, std::span<const GpuReading> all);

} // namespace pw
