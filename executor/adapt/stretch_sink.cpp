// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/adapt/stretch_sink.h"

#include "executor/api/run_plan.h"

#include <algorithm>

namespace pw::exec {

void StretchRecords::say(const std::string& what)
{
    if (what.empty())
        return;
    if (m_started)
        m_target->log({m_last, RankId::none(), LogLevel::Info, what});
    else
        m_waiting = what;
}

void StretchRecords::started(const RunPlan& plan, const RunEnvironment& environment)
{
    m_partIterations = plan.iterations;
    m_partSteps = totalSteps(plan);
    if (m_started)
        return;
    m_started = true;
    m_target->started(plan, environment);
    if (!m_waiting.empty())
        m_target->log({0, RankId::none(), LogLevel::Info, m_waiting});
}

void StretchRecords::passes(std::span<const RecordedPass> batch)
{
    std::vector<RecordedPass> moved(batch.begin(), batch.end());
    for (RecordedPass& pass : moved) {
        pass.iteration += m_iterations;
        pass.start += m_offset;
        pass.end += m_offset;
        m_last = std::max(m_last, pass.end);
    }
    m_target->passes(moved);
}

void StretchRecords::messages(std::span<const RecordedMessage> batch)
{
    std::vector<RecordedMessage> moved(batch.begin(), batch.end());
    for (RecordedMessage& message : moved) {
        message.iteration += m_iterations;
        message.posted += m_offset;
        message.started += m_offset;
        message.ended += m_offset;
        m_last = std::max(m_last, message.ended);
    }
    m_target->messages(moved);
}

void StretchRecords::memory(std::span<const MemorySample> batch)
{
    std::vector<MemorySample> moved(batch.begin(), batch.end());
    for (MemorySample& sample : moved) {
        sample.iteration += m_iterations;
        sample.time += m_offset;
        m_last = std::max(m_last, sample.time);
    }
    m_target->memory(moved);
}

void StretchRecords::copies(std::span<const RecordedCopy> batch)
{
    std::vector<RecordedCopy> moved(batch.begin(), batch.end());
    for (RecordedCopy& copy : moved) {
        copy.iteration += m_iterations;
        copy.start += m_offset;
        copy.end += m_offset;
        m_last = std::max(m_last, copy.end);
    }
    m_target->copies(moved);
}

void StretchRecords::loss(const StepLoss& loss)
{
    m_target->loss({loss.step + m_steps, loss.loss});
}

void StretchRecords::log(const RunLog& log)
{
    RunLog moved = log;
    moved.time += m_offset;
    m_target->log(moved);
}

void StretchRecords::finished(RunStatus, const RunFigures& figures)
{
    if (!m_figures) {
        m_figures = figures;
        return;
    }
    RunFigures& all = *m_figures;
    // The mean of the parts' medians, by their iterations: all that is left of them.
    const int iterations = all.iterations + figures.iterations;
    if (iterations > 0)
        all.makespan =
            (all.makespan * all.iterations + figures.makespan * figures.iterations) / iterations;
    all.iterations = iterations;
    all.makespanLow = std::min(all.makespanLow, figures.makespanLow);
    all.makespanHigh = std::max(all.makespanHigh, figures.makespanHigh);
    all.spanBubble = figures.spanBubble;
    all.peakActivation = std::max(all.peakActivation, figures.peakActivation);
    all.lastLoss = figures.lastLoss;
}

void StretchRecords::partEnded()
{
    m_iterations += m_partIterations;
    m_steps += m_partSteps;
    // The next run's clock begins anew; a little later than what was heard last.
    constexpr Ticks gap = ticksPerMs;
    m_offset = m_last + gap;
}

void StretchRecords::close(RunStatus status)
{
    if (m_started)
        m_target->finished(status, m_figures.value_or(RunFigures()));
}

} // namespace pw::exec
