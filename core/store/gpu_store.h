// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/sqlite.h"
#include "core/store/stored_records.h"

#include <span>
#include <vector>

namespace pw {

/// Writes what GPUs said of themselves, as a part of the caller's transaction.
Result<void> keepGpuReadings(Database& database, RunNumber run, std::span<const GpuReading> all);

/// What they said in a run, as it came.
Result<std::vector<GpuReading>> readGpuReadings(Database& database, RunNumber run);

} // namespace pw
