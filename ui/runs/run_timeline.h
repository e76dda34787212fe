// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/draft.h"
#include "core/sim/draft_times.h"
#include "core/store/stored_iteration.h"
#include "core/store/trace_figures.h"
#include "core/trace/measured_gaps.h"
#include "core/trace/trace.h"
#include "ui/models/lanes.h"
#include "ui/models/whole_peak.h"
#include "ui/timeline/schedule_links.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pw::ui {

/// One iteration of a stored run as it is shown: what a timeline needs at once. Immutable once made
/// and shared.
struct RunTimeline
{
    RunDetails details;
    std::vector<WholeIteration> iterations; ///< that the run has
    std::int32_t iteration = 0;
    Ticks base = 0; ///< when it began, on the clock of the run
    std::shared_ptr<const Schedule> schedule;
    Costs costs;
    SimResult predicted;
    SimResult measured;
    Draft order;                 ///< the schedule, as charts take it
    DraftTimes orderTimes;       ///< `measured`, the same way
    LanesPtr lanes;              ///< of what was measured
    WholePeak memory;            ///< measured, where samples were read
    std::int64_t unrecorded = 0; ///< passes of the schedule without a record
    std::vector<Trust> trust;    ///< of the time of an entry; of a pair the less sure one
    std::array<std::int64_t, trustCount> trustCounts{}; ///< passes by how their times are known

    /// Passes whose times are known in this way.
    std::int64_t countOf(Trust how) const { return trustCounts[static_cast<std::size_t>(how)]; }
    /// Passes that were recorded.
    std::int64_t passCount() const;
    /// "run 17 · ZB-V · 4 × 8"
    QString title() const;
};

using RunTimelinePtr = std::shared_ptr<const RunTimeline>;

/// What is loaded after the timeline is there.
struct RunRecords
{
    RecordedArrivals arrivals;
    std::vector<RecordedMessage> messages;         ///< by sender; times relative to the base
    std::vector<std::vector<MemorySample>> memory; ///< by rank; times relative to the base
    /// Of an imported run, by rank: the counter that says most of its memory (`memoryCounter`),
    /// without values where none does; times relative to the base.
    std::vector<TraceCounter> counters;
    std::vector<StepLoss> losses;
    std::vector<RunLog> logs;
    TraceFigures imported; ///< of an imported run
    bool several = false;  ///< more ranks ran than the schedule has devices: replicas, most likely
};

using RunRecordsPtr = std::shared_ptr<const RunRecords>;

/// Loads an iteration without its samples and messages. Takes a while for millions of passes.
/// @param memory  whether peaks are those of the samples
/// @error  as of `loadIteration`
Result<RunTimelinePtr> loadTimeline(RunStore& store, RunNumber run,
                                    std::optional<std::int32_t> iteration = {},
                                    bool memory = false);

/// Loads what `loadTimeline` leaves out.
Result<RunRecordsPtr> loadRecords(RunStore& store, const RunTimeline& timeline);

/// Lanes of what was measured; an entry without a record has no span.
/// @param trust  of the entries' times, guessed ones are marked; empty: all were measured
LanesPtr measuredLanes(const std::shared_ptr<const Schedule>& schedule, const SimResult& measured,
                       const std::vector<Trust>& trust = {});

/// A run as tabs and lists call it: its title, or what it is.
QString runTitle(const StoredRun& run);

} // namespace pw::ui
