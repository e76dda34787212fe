// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_sink.h"

#include <optional>
#include <vector>

namespace pw::exec {

/// Keeps everything that a run says, in the order in which it came: for reports and tests.
class RecordingSink : public RunSink
{
public:
    /// What was heard; read it when the run has ended.
    struct Record
    {
        int starts = 0;
        int ends = 0;
        RunEnvironment environment;
        std::vector<RecordedPass> passes;
        std::vector<RecordedMessage> messages;
        std::vector<MemorySample> memory;
        std::vector<RecordedCopy> copies;
        std::vector<GpuReading> gpus;
        std::vector<StepLoss> losses;
        std::vector<RunLog> logs;
        std::vector<RunFault> faults;
        RunStatus status = RunStatus::Running;
        RunFigures figures;

        friend bool operator==(const Record&, const Record&) = default;
    };

    const Record& record() const { return m_record; }

    void started(const RunPlan& /*plan*/, const RunEnvironment& environment) override
    {
        ++m_record.starts;
        m_record.environment = environment;
    }
    void passes(std::span<const RecordedPass> batch) override { append(m_record.passes, batch); }
    void messages(std::span<const RecordedMessage> batch) override
    {
        append(m_record.messages, batch);
    }
    void memory(std::span<const MemorySample> batch) override { append(m_record.memory, batch); }
    void copies(std::span<const RecordedCopy> batch) override { append(m_record.copies, batch); }
    void gpus(std::span<const GpuReading> batch) override { append(m_record.gpus, batch); }
    void loss(const StepLoss& loss) override { m_record.losses.push_back(loss); }
    void log(const RunLog& log) override { m_record.logs.push_back(log); }
    void fault(const RunFault& fault) override { m_record.faults.push_back(fault); }
    void finished(RunStatus status, const RunFigures& figures) override
    {
        ++m_record.ends;
        m_record.status = status;
        m_record.figures = figures;
    }

protected:
    Record m_record;

private:
    template<typename T>
    static void append(std::vector<T>& all, std::span<const T> batch)
    {
        all.insert(all.end(), batch.begin(), batch.end());
    }
};

} // namespace pw::exec
