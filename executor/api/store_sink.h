// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_recorder.h"
#include "executor/api/run_plan.h"
#include "executor/api/run_sink.h"

#include <memory>
#include <string>

namespace pw::exec {

/// Keeps a run of a plan in a store, as `RunRecorder` does.
class StoreSink : public RunSink
{
public:
    /// @param path  made with its folder where it is not there
    /// @error       as of `RunStore::open`, `planProject`
    static Result<std::unique_ptr<StoreSink>> open(const std::string& path, const RunPlan& plan,
                                                   RunRecorder::Trouble trouble = {});

    RunNumber number() const { return m_recorder->number(); }
    Result<void> state() const { return m_recorder->state(); }

    void started(const RunPlan& /*plan*/, const RunEnvironment& environment) override
    {
        m_recorder->setEnvironment(environment);
    }
    void passes(std::span<const RecordedPass> batch) override { m_recorder->add(batch); }
    void messages(std::span<const RecordedMessage> batch) override { m_recorder->add(batch); }
    void copies(std::span<const RecordedCopy> batch) override { m_recorder->add(batch); }
    void memory(std::span<const MemorySample> batch) override { m_recorder->add(batch); }
    void gpus(std::span<const GpuReading> batch) override { m_recorder->add(batch); }
    void loss(const StepLoss& loss) override { m_recorder->add(loss); }
    void log(const RunLog& log) override { m_recorder->add(log); }
    void fault(const RunFault& fault) override { m_recorder->add(fault); }
    void finished(RunStatus status, const RunFigures& figures) override
    {
        m_recorder->finish(status, figures);
    }

private:
    explicit StoreSink(std::unique_ptr<RunRecorder> recorder)
        : m_recorder(std::move(recorder))
    {
    }
    std::unique_ptr<RunRecorder> m_recorder;
};

} // namespace pw::exec
