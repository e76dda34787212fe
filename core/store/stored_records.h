// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/gpu_reading.h"
#include "core/trace/records.h"
#include "core/trace/trace.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw {

class Database;
struct TraceFigures;

/// Number of a run in its store, from 1; never used again.
using RunNumber = std::int64_t;

/// A run in a list.
struct StoredRun
{
    RunNumber number = 0;
    std::string title;
    std::string notes;
    std::string origin;
    std::string family;
    std::int64_t startedMs = 0; ///< since 1970, UTC
    std::int64_t endedMs = 0;   ///< of an incomplete one its last sign; 0 while it runs
    RunStatus status = RunStatus::Running;
    int ranks = 0;
    RunEnvironment environment;
    std::int64_t passes = 0; ///< that are kept
    RunFigures figures;      ///< of a run that has ended
    Bytes peakMemory = 0;    ///< as `StoredRecords::peakMemory` finds it, which lists do not ask
};

/// Which records of a run are asked for.
struct RecordQuery
{
    RunNumber run = 0;
    std::optional<std::int32_t> iteration{};
    std::optional<RankId> rank{}; ///< of a message, its sender
    /// Records that touch the time from `from` up to, but not with, `to`.
    Ticks from = std::numeric_limits<Ticks>::min();
    Ticks to = std::numeric_limits<Ticks>::max();
};

/// Passes with how sure their times are: 0 where they were measured, more where they were derived.
struct StoredPasses
{
    std::vector<RecordedPass> passes;
    std::vector<std::uint8_t> trust; ///< parallel
};

/// When an iteration was on a rank.
struct IterationSpan
{
    std::int32_t iteration = 0;
    RankId rank{0};
    Ticks first = 0; ///< start
    Ticks last = 0;  ///< end
    std::int64_t passes = 0;

    friend bool operator==(const IterationSpan&, const IterationSpan&) = default;
};

/// A counter of an imported trace.
struct StoredCounter
{
    TraceCounter counter;         ///< without its `rank`: that is of no trace any more
    std::int32_t rankNumber = -1; ///< as the files say it; −1: none
    DeviceId device;              ///< of the run's order that it is of; none: of none
};

/// What a store keeps of its runs, read. A `RunStore` is one that also lists and writes them.
///
/// Errors name the file: Io where it cannot be used, BadValue where it has no such run.
class StoredRecords
{
public:
    ~StoredRecords();
    StoredRecords(StoredRecords&&) noexcept;
    StoredRecords& operator=(StoredRecords&&) noexcept;

    const std::string& path() const;

    /// From any thread: what the store does at that time is ended, what is asked later refused.
    void endBy(std::chrono::steady_clock::time_point time);

    /// By rank, then by start.
    Result<StoredPasses> passes(const RecordQuery& query);
    /// By sender, then by time posted.
    Result<std::vector<RecordedMessage>> messages(const RecordQuery& query);
    /// By rank, then by time.
    Result<std::vector<MemorySample>> memory(const RecordQuery& query);
    /// Copies between devices and their hosts. By rank, then by start.
    Result<std::vector<RecordedCopy>> copies(const RecordQuery& query);
    /// What GPUs said of themselves; as they came.
    Result<std::vector<GpuReading>> gpuReadings(RunNumber run);
    /// By iteration, then by rank.
    Result<std::vector<IterationSpan>> iterations(RunNumber run);
    Result<std::vector<StepLoss>> losses(RunNumber run); ///< by step
    Result<std::vector<RunLog>> logs(RunNumber run);     ///< as they came
    /// Counters of memory of the devices, each with its values in a stretch of time and the one
    /// that counts at its beginning.
    Result<std::vector<StoredCounter>> memoryCounters(RunNumber run, Ticks from, Ticks to);
    /// All that the fullest device of a run held at once, as its samples or, of an imported run,
    /// its counters tell it; 0 where nothing does.
    /// @complexity O(samples of the run)
    Result<Bytes> peakMemory(RunNumber run);
    /// What an import kept; empty where nothing was.
    Result<TraceFigures> traceFigures(RunNumber run);
    /// Ranks of the trace that an import kept, of all replicas; 0 where none was.
    Result<std::int64_t> traceRanks(RunNumber run);

protected:
    explicit StoredRecords(std::unique_ptr<Database> database);
    Database& database() { return *m_database; }
    /// A run as lists have it. @error BadValue  there is none
    Result<StoredRun> header(RunNumber run);

private:
    /// @error BadValue  there is no such run
    Result<void> require(RunNumber run);
    template<typename T, typename Read>
    Result<std::vector<T>> listOf(RunNumber run, const char* sql, const Read& read);

    std::unique_ptr<Database> m_database;
};

} // namespace pw
