// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/run_store.h"
#include "core/trace/activity_lanes.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pw {

class Database;

/// Keeps every slice of a trace beside the passes of a run, with coarser levels of them, so that a
/// window of any length is read at once. All of it or nothing; in place of what the run had.
///
/// Memory does not depend on the length of the trace.
///
/// @param source  a trace in memory; its lanes as they are drawn
/// @param goOn    asked now and then with the part that is done; false stops; may be empty
/// @error         as of `RunStore`; Cancelled where `goOn` said so
Result<void> keepActivity(const std::string& store, RunNumber run, const ActivitySource& source,
                          std::int32_t names, const std::function<bool(double)>& goOn = {});

/// Keeps a trace of which no order is known as a run without passes: its title, where it comes
/// from, and its slices.
/// @param title  empty: the name of the first file
/// @error        as of `keepActivity`
Result<RunNumber> keepTraceActivity(Trace& trace, const std::string& store,
                                    const std::string& title);

/// The rows of a kept run. For one thread.
class StoredActivity : public ActivitySource
{
public:
    /// @error  as of `RunStore`; a run without slices has no lanes
    static Result<StoredActivity> open(const std::string& store, RunNumber run);
    ~StoredActivity() override;
    StoredActivity(StoredActivity&&) noexcept;
    StoredActivity& operator=(StoredActivity&&) noexcept;

    const std::vector<ActivityLane>& lanes() const override { return m_lanes; }
    Result<void> slices(std::size_t lane, Ticks from, Ticks to, Ticks grain,
                        std::vector<ActivitySlice>& out) const override;
    Result<std::string> name(std::int32_t name) const override;

private:
    struct Level
    {
        std::int64_t number = 0;
        Ticks grain = 0;
    };

    StoredActivity(std::unique_ptr<Database> database, RunNumber run);
    Result<void> load();

    std::unique_ptr<Database> m_database;
    RunNumber m_run = 0;
    std::vector<ActivityLane> m_lanes;
    std::vector<Level> m_levels; // the finest first
};

} // namespace pw
