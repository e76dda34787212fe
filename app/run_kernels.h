// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "app/screen.h"
#include "core/io/json_text.h"
#include "core/trace/records.h"
#include "executor/api/backend.h"
#include "executor/api/fan_out_sink.h"

#include <span>
#include <string>
#include <vector>

namespace pw::app {

/// --kernels.
Option kernelsOption();

/// What `run --kernels` has found out: how far kernels fill the passes, and which take the most.
struct RunKernels
{
    std::string missing; ///< why they were not counted; empty: they were
    exec::KernelCount count;
    std::vector<exec::KernelShare> shares;
    std::string limit; ///< who limits the passes, a sentence
};

/// Runs one iteration more, behind one to warm up, while which kernels are counted.
/// @param ordinary  passes of the run whose times count; nobody watched it
RunKernels countedKernels(const exec::RunPlan& plan, std::span<const RecordedPass> ordinary,
                          exec::Backend& backend, const exec::Stop& stop);

/// Tables for a screen, and what they mean.
std::string kernelsText(const RunKernels& kernels, const PipelineSpec& spec, const Screen& screen);

/// The member `kernels` of `run --json`; null: nobody asked.
void writeKernels(JsonText& json, const RunKernels* kernels);

/// The same in lines that are kept with the run.
/// @param time  of the lines: the end of the run
std::vector<RunLog> kernelLogs(const RunKernels& kernels, const PipelineSpec& spec, Ticks time);

/// Hands a run on; where it is asked to, all but its end, behind which nothing more is heard of it.
class HeldEnd final : public exec::FanOutSink
{
public:
    using FanOutSink::FanOutSink;

    void hold() { m_holds = true; }
    void finished(RunStatus status, const RunFigures& figures) override
    {
        if (!m_holds) {
            FanOutSink::finished(status, figures);
            return;
        }
        m_ended = true;
        m_status = status;
        m_figures = figures;
    }
    /// The end that was held, if there was one.
    void release()
    {
        if (m_ended)
            FanOutSink::finished(m_status, m_figures);
        m_ended = false;
    }

private:
    bool m_holds = false;
    bool m_ended = false;
    RunStatus m_status = RunStatus::Running;
    RunFigures m_figures;
};

} // namespace pw::app
