// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/stored_records.h"
#include "core/trace/gpu_reading.h"
#include "core/trace/records.h"
#include "core/trace/trace.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

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
/// BadValue where it has no such run. What is kept of a run it reads as `StoredRecords` does.
class RunStore : public StoredRecords
{
public:
    /// Opens a store to write, makes it and its folder where they are not there, and brings an
    /// older one to the present schema.
    static Result<RunStore> open(const std::string& path, const StoreOptions& options = {});
    /// Opens a store to read; it must be there, and may be in a place that cannot be written.
    static Result<RunStore> openToRead(const std::string& path, const StoreOptions& options = {});

    Result<RunWriter> begin(const NewRun& run);
    /// Writes more of a run that is being kept, as a part of the same transaction.
    using KeepMore = std::function<Result<void>(Database& database, RunNumber run)>;

    /// Keeps a run that is over: all of it, or nothing with an error.
    /// @param more  may be empty
    Result<RunNumber> keep(const NewRun& run, const RunBatch& batch, const TraceFigures& found,
                           const RunFigures& figures, const KeepMore& more = {});

    /// Runs, the newest first.
    /// @param search  words; runs that have each of them in title, notes, family, origin, host,
    ///                backend or status
    Result<std::vector<StoredRun>> runs(std::string_view search = {});
    Result<RunDetails> run(RunNumber number);
    /// The newest run.
    /// @error BadValue  there is none
    Result<RunNumber> lastRun();

    Result<void> rename(RunNumber run, const std::string& title);
    /// Replaces the notes of a run.
    Result<void> annotate(RunNumber run, const std::string& notes);
    /// Removes a run; later runs use its room in the file.
    /// @error BadValue  it is still running
    Result<void> remove(RunNumber run);

private:
    explicit RunStore(std::unique_ptr<Database> database);
    Result<void> change(RunNumber run, const char* sql, const std::string& text);
};

} // namespace pw
