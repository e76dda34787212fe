// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_store.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace pw {

/// Keeps a run in a store while it happens.
///
/// A thread of its own writes what has come every 200 ms or few thousand records, so that a slow
/// disk does not hold up the run, and a run that is killed is kept up to a moment ago.
///
/// Where the store fails while the run goes on (a full disk), the run is kept up to that batch and
/// marked as incomplete, the rest is counted and left, and `trouble` is told once.
class RunRecorder
{
public:
    /// Called from within `add` and `finish`.
    using Trouble = std::function<void(const std::string&)>;

    /// Bytes of its log that a run keeps, and of one line; what is beyond is counted.
    static constexpr std::size_t mostLogBytes = 16 << 20;
    static constexpr std::size_t longestLine = 64 << 10;

    /// Opens the store and begins the run, so that a store that cannot be written is known before
    /// anything is trained.
    ///
    /// @param path  made with its folder where it is not there
    /// @error       as of `RunStore::open`
    static Result<std::unique_ptr<RunRecorder>> open(const std::string& path, const NewRun& run,
                                                     Trouble trouble = {},
                                                     const StoreOptions& options = {});
    /// A run that has not finished is left incomplete.
    ~RunRecorder();
    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;

    RunNumber number() const; ///< of the run in its store
    /// Whether everything so far has been kept; after `finish`, everything.
    Result<void> state() const;

    void setEnvironment(const RunEnvironment& environment);
    void add(std::span<const RecordedPass> batch);
    void add(std::span<const RecordedMessage> batch);
    void add(std::span<const MemorySample> batch);
    void add(std::span<const RecordedCopy> batch);
    void add(std::span<const GpuReading> batch);
    void add(const StepLoss& loss);
    void add(const RunLog& log);
    void add(const RunFault& fault);
    /// From now on the store gets so long, and a moment for its last word: whoever closes a
    /// window does not wait for a disk. What is not written by then is counted as lost. From any
    /// thread.
    void hurry(std::chrono::milliseconds most);
    /// Once, after everything else. Waits for the disk.
    void finish(RunStatus status, const RunFigures& figures);

private:
    struct Parts;
    explicit RunRecorder(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace pw
