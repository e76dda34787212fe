// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/run_listener.h"

#include "core/io/project_file.h"
#include "executor/api/wire_claims.h"
#include "ui/run/executor_worker.h"
#include "ui/text.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr std::size_t mostLosses = 20'000; ///< of one piece of news, the last among them
/// Lines that are not understood and shown; the rest is counted.
constexpr qint64 brokenShown = 20;

} // namespace

RunListener::RunListener(NewsBoard& news, KeptRun& kept, std::function<void(const Trouble&)> refuse)
    : m_news(news)
    , m_kept(kept)
    , m_refuse(std::move(refuse))
{
}

void RunListener::hello(const exec::WireHello& hello)
{
    m_saidHello = true;
    std::string program = hello.program, backend = hello.backend;
    exec::cutWireName(program);
    exec::cutWireName(backend);
    m_news.say(RunLine::Kind::Info,
               ExecutorWorker::tr("Pipewright %1, backend %2").arg(text(program), text(backend)));
}

void RunListener::started(const exec::WireStarted& told)
{
    const exec::WireStarted started = exec::withinLimits(told);
    if (started.ranks > exec::mostWireRanks) {
        m_refuse(
            {TroubleKind::Garbage,
             ExecutorWorker::tr("The executor says that it has %1 ranks; a run has at most %2.")
                 .arg(started.ranks)
                 .arg(exec::mostWireRanks),
             {}});
        return;
    }
    if (m_ranks > 0) {
        broken(0, ExecutorWorker::tr("the run began a second time").toStdString());
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
    m_news.change([&](RunNews& news) {
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

void RunListener::keep(const exec::WireStarted& started)
{
    if (m_store.isEmpty() || m_kept.isOpen())
        return;
    const auto trouble = [this](const std::string& what) {
        m_news.say(RunLine::Kind::Warning, text(what));
    };
    const Result<RunNumber> number = m_kept.open(m_store, exec::newRunOf(started), trouble);
    if (!number) {
        trouble(ExecutorWorker::tr("the run goes on, but is not kept: ").toStdString() +
                number.error().message);
        return;
    }
    m_news.change([&](RunNews& news) { news.stored = *number; });
}

/// The records of ranks that the run has. The others are counted as lines that are not understood.
template<typename Record>
std::span<const Record> RunListener::honest(std::span<const Record> batch,
                                            std::vector<Record>& kept)
{
    const auto isHonest = [this](const Record& one) { return exec::isOfRanks(one, m_ranks); };
    if (std::all_of(batch.begin(), batch.end(), isHonest))
        return batch;
    for (const Record& record : batch) {
        if (isHonest(record))
            kept.push_back(record);
        else
            broken(
                0,
                ExecutorWorker::tr("a record of a rank that the run does not have").toStdString());
    }
    return kept;
}

template<typename Record>
void RunListener::addHonest(std::span<const Record> all)
{
    std::vector<Record> kept;
    m_kept.add(honest(all, kept));
}

void RunListener::passes(std::span<const RecordedPass> all)
{
    std::vector<RecordedPass> kept;
    const auto batch = honest(all, kept);
    m_kept.add(batch);
    if (m_lanes != nullptr)
        m_lanes->add(batch);
    m_news.change([&](RunNews& news) {
        news.passes += static_cast<std::int64_t>(batch.size());
        for (const RecordedPass& pass : batch)
            news.iteration = std::max(news.iteration, pass.iteration);
    });
}

void RunListener::messages(std::span<const RecordedMessage> all)
{
    addHonest(all);
}

void RunListener::copies(std::span<const RecordedCopy> all)
{
    addHonest(all);
}

void RunListener::gpus(std::span<const GpuReading> all)
{
    addHonest(all);
}

void RunListener::memory(std::span<const MemorySample> all)
{
    addHonest(all);
}

void RunListener::loss(const StepLoss& loss)
{
    m_kept.add(loss);
    m_news.change([&](RunNews& news) {
        news.losses.resize(std::min(news.losses.size(), mostLosses - 1));
        news.losses.push_back(loss);
    });
}

void RunListener::log(const RunLog& log)
{
    m_kept.add(log);
    const QString who = log.rank >= 0 ? ExecutorWorker::tr("rank %1: ").arg(log.rank) : QString();
    m_news.say(log.level == LogLevel::Warning ? RunLine::Kind::Warning : RunLine::Kind::Info,
               who + text(log.text));
}

void RunListener::fault(const RunFault& fault)
{
    m_kept.add(fault);
    if (m_fault.isEmpty())
        m_fault = text(fault.text);
    m_news.say(RunLine::Kind::Fault, text(fault.text));
}

void RunListener::finished(RunStatus status, const RunFigures& told)
{
    RunFigures figures = told;
    if (status == RunStatus::Running || m_status) {
        broken(0, (m_status ? ExecutorWorker::tr("the run ended a second time")
                            : ExecutorWorker::tr("the run ended as one that runs"))
                      .toStdString());
        return;
    }
    if (!exec::canBe(told)) {
        broken(0, ExecutorWorker::tr("a makespan below 0").toStdString());
        figures = {};
    }
    m_status = status;
    m_kept.finish(status, figures);
    m_news.change([&](RunNews& news) { news.figures = figures; });
}

void RunListener::broken(std::int64_t line, const std::string& reason)
{
    m_news.change([&](RunNews& news) { ++news.broken; });
    if (++m_brokenShown <= brokenShown)
        m_news.say(RunLine::Kind::Output,
                   line > 0
                       ? ExecutorWorker::tr("line %1 of its output is not understood: %2")
                             .arg(line)
                             .arg(text(reason))
                       : ExecutorWorker::tr("its output is not understood: %1").arg(text(reason)));
}

} // namespace pw::ui
