// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_sink.h"

#include <utility>
#include <vector>

namespace pw::exec {

/// Hands everything on to several sinks, to each in the order of the list.
class FanOutSink : public RunSink
{
public:
    /// @param sinks  outlive this; none is null
    explicit FanOutSink(std::vector<RunSink*> sinks)
        : m_sinks(std::move(sinks))
    {
    }

    void started(const RunPlan& plan, const RunEnvironment& environment) override
    {
        for (RunSink* sink : m_sinks)
            sink->started(plan, environment);
    }
    void passes(std::span<const RecordedPass> batch) override
    {
        for (RunSink* sink : m_sinks)
            sink->passes(batch);
    }
    void messages(std::span<const RecordedMessage> batch) override
    {
        for (RunSink* sink : m_sinks)
            sink->messages(batch);
    }
    void memory(std::span<const MemorySample> batch) override
    {
        for (RunSink* sink : m_sinks)
            sink->memory(batch);
    }
    void copies(std::span<const RecordedCopy> batch) override
    {
        for (RunSink* sink : m_sinks)
            sink->copies(batch);
    }
    void gpus(std::span<const GpuReading> batch) override
    {
        for (RunSink* sink : m_sinks)
            sink->gpus(batch);
    }
    void loss(const StepLoss& loss) override
    {
        for (RunSink* sink : m_sinks)
            sink->loss(loss);
    }
    void log(const RunLog& log) override
    {
        for (RunSink* sink : m_sinks)
            sink->log(log);
    }
    void fault(const RunFault& fault) override
    {
        for (RunSink* sink : m_sinks)
            sink->fault(fault);
    }
    void finished(RunStatus status, const RunFigures& figures) override
    {
        for (RunSink* sink : m_sinks)
            sink->finished(status, figures);
    }

private:
    std::vector<RunSink*> m_sinks;
};

} // namespace pw::exec
