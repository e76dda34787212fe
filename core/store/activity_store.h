// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/run_store.h"
#include "core/trace/activity_lanes.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pw {

class Database;

/// What is kept of a trace beside the passes of its run. Refers to all of it.
struct KeptActivity
{
    const Trace& trace;
    const TraceActivity& source;                 ///< of the trace
    std::span<const MessagePair> pairs{};        ///< of `pairMessages`, for arrows
    std::span<const TraceRankId> rankOfDevice{}; ///< as `RecoveredPipeline::rankOfDevice`
    RunStore::KeepMore more{}; ///< written with it, as a part of the same transaction; may be empty
};

/// How far keeping a trace is.
struct KeepProgress
{
    double part = 0;   ///< of all that is to be written, 0 to 1
    Bytes written = 0; ///< so far, by what of the store is in use
};

/// Asked when keeping a trace begins, many times a second while it goes on, and before it is done.
/// @return false: stop, and keep nothing
using KeepOn = std::function<bool(const KeepProgress&)>;

/// Keeps every slice of a trace beside the passes of a run, with coarser levels of them, so that a
/// window of any length is read at once; its counters; and what slices follow from. All of it or
/// nothing; in place of what the run had.
///
/// Memory does not depend on the length of the trace.
///
/// @param goOn  may be empty
/// @error       as of `RunStore`; Cancelled where `goOn` said so
Result<void> keepActivity(const std::string& store, RunNumber run, const KeptActivity& kept,
                          const KeepOn& goOn = {});

/// The same in a store that is open for writing, as a part of the transaction that is open there.
Result<void> keepActivity(Database& database, RunNumber run, const KeptActivity& kept,
                          const KeepOn& goOn = {});

/// Keeps a trace of which no order is known as a run without passes.
/// @param title  empty: the name of the file, or of the folder of several
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
    std::vector<std::int64_t> m_levelsOf; // by lane, a bit each for the levels that it has
    std::vector<Level> m_levels;          // the finest first
};

} // namespace pw
