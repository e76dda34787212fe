// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_store.h"
#include "executor/api/run_plan.h"
#include "executor/api/run_sink.h"

#include <functional>
#include <memory>
#include <string>

namespace pw::exec {

/// Keeps a run in a store.
///
/// A thread of its own writes what has come every 200 ms or few thousand records, so that a slow
/// disk does not hold up the run, and a run that is killed is kept up to a moment ago.
///
/// Where the store fails while the run goes on (a full disk), the run is kept up to that batch and
/// marked as incomplete, the rest is counted and left, and `trouble` is told once.
class StoreSink : public RunSink
{
public:
    /// Called from within a call of the sink.
    using Trouble = std::function<void(const std::string&)>;

    /// Opens the store and begins the run, so that a store that cannot be written is known before
    /// anything is trained.
    ///
    /// @param path  made with its folder where it is not there
    /// @error       as of `RunStore::open`, `planProject`
    static Result<std::unique_ptr<StoreSink>> open(const std::string& path, const RunPlan& plan,
                                                   Trouble trouble = {});
    /// A run that has not finished is left incomplete.
    ~StoreSink() override;
    StoreSink(const StoreSink&) = delete;
    StoreSink& operator=(const StoreSink&) = delete;

    RunNumber number() const; ///< of the run in its store
    /// Whether everything so far has been kept; after `finished`, everything.
    Result<void> state() const;

    void started(const RunPlan& plan, const RunEnvironment& environment) override;
    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage> batch) override;
    void memory(std::span<const MemorySample> batch) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    void fault(const RunFault& fault) override;
    void finished(RunStatus status, const RunFigures& figures) override;

private:
    struct Parts;
    explicit StoreSink(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace pw::exec
