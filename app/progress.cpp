// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/progress.h"

#include "app/safe_output.h"
#include "core/base/text.h"
#include "core/system/terminal.h"
#include "executor/api/run_plan.h"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string_view>

namespace pw::app {

ProgressLine::~ProgressLine()
{
    clear();
}

void ProgressLine::started(const exec::RunPlan& plan, const RunEnvironment&)
{
    m_warmup = plan.warmup;
    m_iterations = plan.iterations;
    m_iteration = -plan.warmup;
    show();
}

void ProgressLine::passes(std::span<const RecordedPass> batch)
{
    for (const RecordedPass& pass : batch)
        m_iteration = std::max(m_iteration, pass.iteration);
    show();
}

void ProgressLine::loss(const StepLoss& loss)
{
    m_loss = loss.loss;
    show();
}

void ProgressLine::finished(RunStatus, const RunFigures&)
{
    clear();
}

void ProgressLine::show()
{
    constexpr std::chrono::milliseconds often(100);
    const auto now = std::chrono::steady_clock::now();
    if (m_visible && now - m_shown < often)
        return;
    m_shown = now;
    m_visible = true;
    SafeOutput::writeCode(m_err, "\r\x1b[K");
    m_err << "  ";
    if (m_iteration < 0)
        m_err << "warm-up " << m_iteration + m_warmup + 1 << " of " << m_warmup;
    else
        m_err << "iteration " << m_iteration + 1 << " of " << m_iterations;
    if (m_loss)
        m_err << "   loss " << plainNumber(*m_loss);
    m_err << std::flush;
}

void ProgressLine::clear()
{
    if (m_visible)
        SafeOutput::writeCode(m_err, "\r\x1b[K");
    m_err << std::flush;
    m_visible = false;
}

void showStatus(std::ostream& err, std::string_view text)
{
    if (!terminalTakesProgress())
        return;
    SafeOutput::writeCode(err, "\r\x1b[K");
    if (!text.empty())
        err << "  " << text << " …";
    err << std::flush;
}

bool terminalTakesProgress()
{
    const char* terminal = std::getenv("TERM");
    return sys::isTerminal(sys::Stream::Errors) && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
}

} // namespace pw::app
