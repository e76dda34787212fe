// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/gpu_reading.h"
#include "core/trace/records.h"
#include "core/trace/trace.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

class Database;
struct TraceFigures;

/// Number of a run in its store, from 1; never used again.
using RunNumber = std::int64_t;

/// A run at its beginning.
struct NewRun
{
    std::string title;
    std::string origin = "executed"; ///< or the program that a trace comes from
    std::string family;              ///< id; empty: an order of its own
    std::string project;             ///< text of a project file: schedule and costs as they were
    std::string settings = "{}";     ///< what else was asked for, JSON
    int ranks = 0;
    RunEnvironment environment;
    std::int64_t startedMs = 0;             ///< since 1970, UTC; 0: now
    std::int64_t endedMs = 0;               ///< of one that is kept as a whole, likewise
    RunStatus status = RunStatus::Finished; ///< of one that is kept as a whole
};

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
    Bytes peakMemory = 0;    ///< as `RunStore::peakMemory` finds it, which lists do not ask
};

/// A run with what the list leaves out.
struct RunDetails
{
    StoredRun run;
    std::string project;
    std::string settings;
    std::vector<RunFault> faults;
    std::vector<GpuReading> gpus; ///< as they came
};

/// How a store is opened.
struct StoreOptions
{
    int patience = 5000;        ///< milliseconds to wait for another program's lock
    std::int64_t mostBytes = 0; ///< size that the file does not grow beyond; 0: no limit
    /// Time on the steady clock after which the store does nothing more, in the clock's own unit.
    /// It may change meanwhile, and outlives the store; none: no end.
    std::atomic<std::chrono::steady_clock::rep>* end = nullptr;
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

/// Records that are kept together. Times are within ±2^62 and no end is before its start.
struct RunBatch
{
    std::vector<RecordedPass> passes;
    std::vector<std::uint8_t> trust; ///< parallel to passes; empty: all measured
    std::vector<RecordedMessage> messages;
    std::vector<MemorySample> memory;
    std::vector<RecordedCopy> copies;
    std::vector<GpuReading> gpus;
    std::vector<StepLoss> losses; ///< a step that is there already gets the later value
    std::vector<RunLog> logs;
    std::vector<RunFault> faults;

    std::size_t size() const;
    void clear();
};

class RunStore;

/// A run that is being written. One thread at a time, and no use of its store meanwhile. Destroyed
/// before `finish`, it leaves an incomplete run.
class RunWriter
{
public:
    ~RunWriter();
    RunWriter(RunWriter&&) noexcept;
    RunWriter& operator=(RunWriter&&) = delete;

    RunNumber number() const;

    /// What was not yet known at the beginning.
    Result<void> setEnvironment(const RunEnvironment& environment);
    /// Keeps a batch: all of it, or nothing with an error.
    Result<void> append(const RunBatch& batch);
    /// Keeps what an import found beside the passes. Once.
    Result<void> keep(const TraceFigures& figures);
    /// Ends the run. @param status   not Running
    /// @param endedMs  since 1970, UTC; 0: now
    Result<void> finish(RunStatus status, const RunFigures& figures, std::int64_t endedMs = 0);

private:
    friend class RunStore;
    struct Parts;
    explicit RunWriter(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

/// A file of runs: what was planned, where it ran, and every pass, message and sample of it.
///
/// SQLite in WAL mode: readers see whole batches, and go on while a run is being written; several
/// programs may write runs of their own. One object is for one thread.
///
/// Errors name the file: Io where it cannot be used, Version where a later program has written it,
/// BadValue where it has no such run.
class RunStore
{
public:
    /// Opens a store to write, makes it and its folder where they are not there, and brings an
    /// older one to the present schema.
    static Result<RunStore> open(const std::string& path, const StoreOptions& options = {});
    /// Opens a store to read; it must be there, and may be in a place that cannot be written.
    static Result<RunStore> openToRead(const std::string& path, const StoreOptions& options = {});

    ~RunStore();
    RunStore(RunStore&&) noexcept;
    RunStore& operator=(RunStore&&) noexcept;

    const std::string& path() const;

    Result<RunWriter> begin(const NewRun& run);
    /// Writes more of a run that is being kept, as a part of the same transaction.
    using KeepMore = std::function<Result<void>(Database& database, RunNumber run)>;

    /// Keeps a run that is over: all of it, or nothing with an error.
    /// @param more  may be empty
    Result<RunNumber> keep(const NewRun& run, const RunBatch& batch, const TraceFigures& found,
                           const RunFigures& figures, const KeepMore& more = {});

    /// From any thread: what the store does at that time is ended, what is asked later refused.
    void endBy(std::chrono::steady_clock::time_point time);

    /// Runs, the newest first.
    /// @param search  words; runs that have each of them in title, notes, family, origin, host,
    ///                backend or status
    Result<std::vector<StoredRun>> runs(std::string_view search = {});
    Result<RunDetails> run(RunNumber number);
    /// The newest run.
    /// @error BadValue  there is none
    Result<RunNumber> lastRun();

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

    Result<void> rename(RunNumber run, const std::string& title);
    /// Replaces the notes of a run.
    Result<void> annotate(RunNumber run, const std::string& notes);
    /// Removes a run; later runs use its room in the file.
    /// @error BadValue  it is still running
    Result<void> remove(RunNumber run);

private:
    explicit RunStore(std::unique_ptr<Database> database);
    Result<void> require(RunNumber run);
    Result<StoredRun> header(RunNumber run);
    Result<void> change(RunNumber run, const char* sql, const std::string& text);
    template<typename T, typename Read>
    Result<std::vector<T>> listOf(RunNumber run, const char* sql, const Read& read);

    std::unique_ptr<Database> m_database;
};

} // namespace pw
