// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/text.h"
#include "executor/api/run_sink.h"

#include <cmath>
#include <optional>
#include <string>

namespace pw::app {

/// Notices the first loss of a run that is not a finite number, and says so at once.
class DivergenceWatch : public exec::RunSink
{
public:
    /// @param target  hears of it, as of a warning of the run; outlives this
    explicit DivergenceWatch(exec::RunSink& target)
        : m_target(target)
    {
    }

    /// "the run diverges: the loss of step 3 is NaN"; empty while it does not.
    const std::string& sentence() const { return m_sentence; }

    void started(const exec::RunPlan&, const RunEnvironment&) override {}
    void passes(std::span<const RecordedPass>) override {}
    void messages(std::span<const RecordedMessage>) override {}
    void memory(std::span<const MemorySample>) override {}
    void loss(const StepLoss& loss) override
    {
        if (std::isfinite(loss.loss) || !m_sentence.empty())
            return;
        m_sentence = "the run diverges: the loss of step " + std::to_string(loss.step) + " is " +
                     (std::isnan(loss.loss) ? "NaN" : plainNumber(loss.loss));
        m_target.log({0, RankId::none(), LogLevel::Warning, m_sentence});
    }
    void log(const RunLog&) override {}
    void fault(const RunFault&) override {}
    void finished(RunStatus, const RunFigures&) override {}

private:
    exec::RunSink& m_target;
    std::string m_sentence;
};

} // namespace pw::app
