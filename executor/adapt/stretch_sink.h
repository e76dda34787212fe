// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/fan_out_sink.h"

#include <memory>
#include <optional>
#include <string>

namespace pw::exec {

/// Tells a sink of several runs of one plan, one after the other, as of one: iterations, steps and
/// times go on, beginning and end come once.
class StretchRecords final : public RunSink
{
public:
    explicit StretchRecords(std::unique_ptr<RunSink> target)
        : m_target(std::move(target))
    {
    }

    /// A sentence about the stretch; kept until the sink has heard its beginning.
    void say(const std::string& what);
    /// The run at hand is over, and another one may follow.
    void partEnded();
    void close(RunStatus status);

    void started(const RunPlan& plan, const RunEnvironment& environment) override;
    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage> batch) override;
    void memory(std::span<const MemorySample> batch) override;
    void copies(std::span<const RecordedCopy> batch) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    void fault(const RunFault& fault) override { m_target->fault(fault); }
    void cutWait(const RunFault& wait) override { m_target->cutWait(wait); }
    void finished(RunStatus status, const RunFigures& figures) override;

private:
    std::unique_ptr<RunSink> m_target;
    bool m_started = false;
    std::string m_waiting; ///< sentence
    int m_iterations = 0;  ///< of the parts before
    int m_steps = 0;
    int m_partIterations = 0;
    int m_partSteps = 0;
    Ticks m_offset = 0; ///< of the part's times
    Ticks m_last = 0;   ///< end of what was heard, with the offset
    std::optional<RunFigures> m_figures;
};

} // namespace pw::exec
