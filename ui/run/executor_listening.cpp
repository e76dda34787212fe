// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "executor/api/wire_claims.h"
#include "ui/document/schedule_document.h"
#include "ui/run/executor_worker.h"

#include <algorithm>
#include <utility>

// What the executor says, as the worker hears it.

namespace pw::ui {

namespace {

constexpr std::size_t mostLosses = 20'000; ///< of one piece of news, the last among them
/// Lines that are not understood and shown; the rest is counted.
constexpr qint64 brokenShown = 20;

} // namespace

void ExecutorWorker::hello(const exec::WireHello& hello)
{
    m_saidHello = true;
    std::string program = hello.program, backend = hello.backend;
    exec::cutWireName(program);
    exec::cutWireName(backend);
    say(RunLine::Kind::Info, tr("Pipewright %1, backend %2").arg(text(program), text(backend)));
}

void ExecutorWorker::started(const exec::WireStarted& told)
{
    const exec::WireStarted started = exec::withinLimits(told);
    if (started.ranks > exec::mostWireRanks) {
        refuse({TroubleKind::Garbage,
                tr("The executor says that it has %1 ranks; a run has at most %2.")
                    .arg(started.ranks)
                    .arg(exec::mostWireRanks),
                {}});
        return;
    }
    if (m_ranks > 0) {
        broken(0, tr("the run began a second time").toStdString());
        return;
    }
    m_ranks = started.ranks;
    RunOutline outline;
    outline.title = text(started.title);
    outline.host = text(started.environment.host);
    outline.backend = text(started.environment.backend);
    outline.ranks = started.ranks;
    outline.warmup = started.warmup;
    outline.iterations = started.iterations;
    outline.steps = started.steps;
    change([&](RunNews& news) {
        news.state = RunState::Running;
        news.iteration = -started.warmup;
        news.outline = outline;
    });
    // The order may differ from what was sent: some families look for it with the measured times.
    if (Result<Project> project = readProject(started.project); project) {
        if (Result<Schedule> schedule = scheduleOf(*project); schedule)
            m_lanes =
                std::make_unique<LiveLanes>(std::make_shared<const Schedule>(std::move(*schedule)));
    }
    keep(started);
}

void ExecutorWorker::keep(const exec::WireStarted& started)
{
    if (m_request.storePath.isEmpty() || m_recorder != nullptr)
        return;
    const NewRun run = exec::newRunOf(started);
    const auto trouble = [this](const std::string& what) {
        m_storeFailed = true;
        say(RunLine::Kind::Warning, text(what));
    };
    Result<std::unique_ptr<RunRecorder>> recorder =
        RunRecorder::open(m_request.storePath.toStdString(), run, trouble, {.end = &m_storeEnd});
    if (!recorder) {
        trouble(tr("the run goes on, but is not kept: ").toStdString() + recorder.error().message);
        return;
    }
    {
        const std::lock_guard lock(m_recorderMutex);
        m_recorder = std::move(*recorder);
        if (m_hurried)
            m_recorder->hurry(storeTime);
    }
    change([&](RunNews& news) { news.stored = m_recorder->number(); });
}

/// The records of ranks that the run has. The others are counted as lines that are not understood.
template<typename Record>
std::span<const Record> ExecutorWorker::honest(std::span<const Record> batch,
                                               std::vector<Record>& kept)
{
    const auto isHonest = [this](const Record& one) { return exec::isOfRanks(one, m_ranks); };
    if (std::all_of(batch.begin(), batch.end(), isHonest))
        return batch;
    for (const Record& record : batch) {
        if (isHonest(record))
            kept.push_back(record);
        else
            broken(0, tr("a record of a rank that the run does not have").toStdString());
    }
    return kept;
}

void ExecutorWorker::passes(std::span<const RecordedPass> all)
{
    std::vector<RecordedPass> kept;
    const auto batch = honest(all, kept);
    if (m_recorder != nullptr)
        m_recorder->add(batch);
    if (m_lanes != nullptr)
        m_lanes->add(batch);
    change([&](RunNews& news) {
        news.passes += static_cast<std::int64_t>(batch.size());
        for (const RecordedPass& pass : batch)
            news.iteration = std::max(news.iteration, pass.iteration);
    });
}

void ExecutorWorker::messages(std::span<const RecordedMessage> all)
{
    std::vector<RecordedMessage> kept;
    const auto batch = honest(all, kept);
    if (m_recorder != nullptr)
        m_recorder->add(batch);
}

void ExecutorWorker::memory(std::span<const MemorySample> all)
{
    std::vector<MemorySample> kept;
    const auto batch = honest(all, kept);
    if (m_recorder != nullptr)
        m_recorder->add(batch);
}

void ExecutorWorker::copies(std::span<const RecordedCopy> all)
{
    std::vector<RecordedCopy> kept;
    const auto batch = honest(all, kept);
    if (m_recorder != nullptr)
        m_recorder->add(batch);
}

void ExecutorWorker::gpus(std::span<const GpuReading> all)
{
    std::vector<GpuReading> kept;
    const auto batch = honest(all, kept);
    if (m_recorder != nullptr)
        m_recorder->add(batch);
}

void ExecutorWorker::loss(const StepLoss& loss)
{
    if (m_recorder != nullptr)
        m_recorder->add(loss);
    change([&](RunNews& news) {
        news.losses.resize(std::min(news.losses.size(), mostLosses - 1));
        news.losses.push_back(loss);
    });
}

void ExecutorWorker::log(const RunLog& log)
{
    if (m_recorder != nullptr)
        m_recorder->add(log);
    const QString who = log.rank >= 0 ? tr("rank %1: ").arg(log.rank) : QString();
    say(log.level == LogLevel::Warning ? RunLine::Kind::Warning : RunLine::Kind::Info,
        who + text(log.text));
}

void ExecutorWorker::fault(const RunFault& fault)
{
    if (m_recorder != nullptr)
        m_recorder->add(fault);
    if (m_fault.isEmpty())
        m_fault = text(fault.text);
    say(RunLine::Kind::Fault, text(fault.text));
}

void ExecutorWorker::finished(RunStatus status, const RunFigures& told)
{
    RunFigures figures = told;
    if (status == RunStatus::Running || m_status) {
        broken(0,
               (m_status ? tr("the run ended a second time") : tr("the run ended as one that runs"))
                   .toStdString());
        return;
    }
    if (!exec::canBe(told)) {
        broken(0, tr("a makespan below 0").toStdString());
        figures = {};
    }
    m_status = status;
    if (m_recorder != nullptr)
        m_recorder->finish(status, figures);
    change([&](RunNews& news) { news.figures = figures; });
}

void ExecutorWorker::broken(std::int64_t line, const std::string& reason)
{
    change([&](RunNews& news) { ++news.broken; });
    if (++m_brokenShown <= brokenShown)
        say(RunLine::Kind::Output,
            line > 0 ? tr("line %1 of its output is not understood: %2").arg(line).arg(text(reason))
                     : tr("its output is not understood: %1").arg(text(reason)));
}

} // namespace pw::ui
