// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_sink.h"

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string_view>

namespace pw::app {

/// One line on a terminal that says how far a run is: iteration and loss. It goes away at the end.
class ProgressLine : public exec::RunSink
{
public:
    /// @param err  a terminal; outlives this
    explicit ProgressLine(std::ostream& err)
        : m_err(err)
    {
    }
    ~ProgressLine() override;

    void started(const exec::RunPlan& plan, const RunEnvironment& environment) override;
    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage>) override {}
    void memory(std::span<const MemorySample>) override {}
    void loss(const StepLoss& loss) override;
    void log(const RunLog&) override {}
    void fault(const RunFault&) override {}
    void finished(RunStatus status, const RunFigures& figures) override;

private:
    void show();
    void clear();

    std::ostream& m_err;
    int m_warmup = 0;
    int m_iterations = 0;
    std::int32_t m_iteration = 0;
    std::optional<double> m_loss;
    std::chrono::steady_clock::time_point m_shown;
    bool m_visible = false;
};

/// Shows what is going on in one line of a terminal; an empty text takes the line away. Nothing
/// where `terminalTakesProgress` says no.
void showStatus(std::ostream& err, std::string_view text);

/// Whether standard error is a terminal that takes such a line.
bool terminalTakesProgress();

} // namespace pw::app
