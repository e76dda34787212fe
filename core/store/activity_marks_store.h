// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/activity_store.h"

namespace pw {

class Database;
class KeepMeter;

// What a kept trace has beside its slices. All are a part of `keepActivity`, and stop where the
// meter says so.

/// The number of what a span is in a pipeline and how its times are known. @pre it has a label
constexpr std::int64_t keptLabel(const TraceSpan& span)
{
    return std::int64_t{span.label} * trustCount + static_cast<std::int64_t>(span.trust);
}

/// Keeps what the slices are in a pipeline.
/// @error  as of `Database`
Result<void> writeLabels(Database& database, RunNumber run, const KeptActivity& kept,
                         KeepMeter& meter);

/// Keeps which slices messages and backward passes join; what launched a slice stands at the slice.
/// @error  as of `Database`
Result<void> writeArrows(Database& database, RunNumber run, const KeptActivity& kept,
                         KeepMeter& meter);

/// Keeps the counters with all their values. Values that are not finite are left out.
/// @error  as of `Database`
Result<void> writeCounters(Database& database, RunNumber run, const KeptActivity& kept,
                           KeepMeter& meter);

/// Keeps groups of ranks, and what is said of slices of communication.
/// @error  as of `Database`
Result<void> writeCollectives(Database& database, RunNumber run, const KeptActivity& kept,
                              KeepMeter& meter);

/// Keeps what was summed up when files were reduced.
/// @error  as of `Database`
Result<void> writeSums(Database& database, RunNumber run, const KeptActivity& kept,
                       KeepMeter& meter);

/// Keeps which files were reduced, by rank.
/// @error  as of `Database`
Result<void> writeRankFiles(Database& database, RunNumber run, const KeptActivity& kept,
                            KeepMeter& meter);

} // namespace pw
