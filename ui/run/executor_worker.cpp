// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/executor_worker.h"

#include "core/io/project_file.h"
#include "ui/core_sentences.h"

#include <QEventLoop>
#include <QProcess>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr qsizetype keptErrors = 16'384;
/// Lines without a hello, after which it is not an executor.
constexpr qint64 brokenAtMost = 1000;
constexpr qsizetype readAtOnce = 1 << 16;

} // namespace

QByteArray attendedInput(const std::string& project)
{
    QByteArray input = QByteArray::fromStdString(project);
    input.append('\0');
    return input;
}

ExecutorWorker::ExecutorWorker(const ExecutorLimits& limits)
    : m_limits(limits)
    , m_listener(m_news, m_kept, [this](const Trouble& trouble) { refuse(trouble); })
{
    m_clock.start();
}

ExecutorWorker::~ExecutorWorker() = default;

void ExecutorWorker::start(const RunRequest& request)
{
    m_request = request;
    m_reader = std::make_unique<exec::WireReader>(m_listener);
    m_listener.setStore(request.storePath);
    m_grace = new QTimer(this);
    m_grace->setSingleShot(true);
    m_publishing = new QTimer(this);
    m_publishing->setInterval(m_limits.news);
    connect(m_publishing, &QTimer::timeout, this, &ExecutorWorker::publish);
    m_publishing->start();
    m_lastWord = m_clock.elapsed();
    m_news.change([](RunNews& news) { news.state = RunState::Starting; });

    if (m_request.project != nullptr) {
        const Result<std::string> project = writeProject(*m_request.project);
        if (!project) {
            m_refusal = {TroubleKind::Failed, coreSentence(project.error().message), {}};
            conclude({.words = m_request.words});
            return;
        }
        m_request.input = attendedInput(*project);
    }
    m_process = new QProcess(this);
    connect(m_process, &QProcess::readyReadStandardOutput, this, &ExecutorWorker::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &ExecutorWorker::readErrors);
    connect(m_process, &QProcess::finished, this, &ExecutorWorker::endProcess);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            conclude(
                {.words = m_request.words, .started = false, .errors = m_process->errorString()});
    });
    m_process->setProgram(request.words.front());
    m_process->setArguments(request.words.mid(1) + request.arguments);
    m_process->start();
    m_process->write(m_request.input);
    publish();
}

void ExecutorWorker::stop()
{
    if (m_process == nullptr || m_process->state() == QProcess::NotRunning)
        return;
    if (m_stopAsked) {
        kill();
        return;
    }
    m_stopAsked = true;
    m_news.say(RunLine::Kind::Info, tr("Asked to stop."));
    m_process->closeWriteChannel();
    connect(m_grace, &QTimer::timeout, this, [this] {
        m_process->terminate();
        m_grace->disconnect(this);
        connect(m_grace, &QTimer::timeout, this, &ExecutorWorker::kill);
        m_grace->start(m_limits.grace);
    });
    m_grace->start(m_limits.grace);
}

void ExecutorWorker::kill()
{
    if (m_process != nullptr)
        m_process->kill();
}

void ExecutorWorker::abandon()
{
    if (m_process == nullptr || m_process->state() == QProcess::NotRunning)
        return;
    m_stopAsked = true;
    constexpr int politely = 300;
    constexpr int promptly = 300;
    m_process->closeWriteChannel();
    if (!endsWithin(politely)) {
        m_process->kill();
        endsWithin(promptly);
    }
}

/// Waits for the end of the process, but not longer. `QProcess::waitForFinished` goes on for as
/// long as there is something to read, which of a flood is for ever.
bool ExecutorWorker::endsWithin(int milliseconds)
{
    if (m_process->state() == QProcess::NotRunning)
        return true;
    QEventLoop loop;
    connect(m_process, &QProcess::finished, &loop, &QEventLoop::quit);
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
    return m_process->state() == QProcess::NotRunning;
}

qint64 ExecutorWorker::silence() const
{
    return m_clock.elapsed() - m_lastWord;
}

void ExecutorWorker::publish()
{
    if (LiveLanes* live = m_listener.lanes(); live != nullptr && live->fresh()) {
        QElapsedTimer making;
        making.start();
        const IterationLanes lanes = live->current();
        m_news.change([&](RunNews& news) { news.lanes = lanes; });
        // Large lanes come less often, so that most of the time is left for reading.
        constexpr int share = 8;
        m_publishing->setInterval(
            std::max(m_limits.news, static_cast<int>(making.elapsed()) * share));
    }
    if (m_news.announce())
        Q_EMIT newsCame();
}

void ExecutorWorker::refuse(const Trouble& trouble)
{
    if (m_refusal)
        return;
    m_refusal = trouble;
    m_process->kill();
}

void ExecutorWorker::readOutput()
{
    m_lastWord = m_clock.elapsed();
    while (m_process->bytesAvailable() > 0 && !m_kept.outOfTime()) {
        const QByteArray bytes = m_process->read(readAtOnce);
        if (bytes.isEmpty())
            return;
        if (m_refusal)
            continue;
        const Result<void> fed =
            m_reader->feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        if (!fed)
            refuse({TroubleKind::Version, coreSentence(fed.error().message), {}});
        else if (!m_listener.saidHello() && m_reader->brokenLines() > brokenAtMost)
            refuse({TroubleKind::Garbage, tr("What answers there is not Pipewright."),
                    tr("The command line of the connection has to end with the pipewright "
                       "program.")});
    }
}

void ExecutorWorker::readErrors()
{
    m_lastWord = m_clock.elapsed();
    tellErrors(m_errorLines.add(m_process->readAllStandardError()));
}

void ExecutorWorker::tellErrors(const QStringList& lines)
{
    for (const QString& line : lines) {
        m_errors += line + QLatin1Char('\n');
        m_news.say(RunLine::Kind::Output, line);
    }
    if (m_errors.size() > keptErrors)
        m_errors.remove(0, m_errors.size() - keptErrors);
}

void ExecutorWorker::endProcess()
{
    readOutput();
    readErrors();
    tellErrors(m_errorLines.end());
    ProcessEnd end;
    end.words = m_request.words;
    end.crashed = m_process->exitStatus() == QProcess::CrashExit;
    end.code = m_process->exitCode();
    end.errors = m_errors;
    conclude(end);
}

/// Decides how the run ended: by what it said itself, else by how its program ended.
void ExecutorWorker::conclude(const ProcessEnd& end)
{
    m_grace->stop();
    Trouble trouble = m_refusal;
    if (end.started && !m_refusal)
        (void)m_reader->end(); // a last line without its end
    const std::optional<RunStatus>& status = m_listener.status();
    RunState state = RunState::Failed;
    if (status == RunStatus::Finished) {
        state = RunState::Finished;
        trouble = {};
    } else if (status == RunStatus::Stopped ||
               (m_stopAsked && (!status || !m_listener.hasBegun()))) {
        // Also where it was stopped while it still got ready, whatever it says of that.
        state = RunState::Stopped;
        trouble = {};
    } else if (status) {
        trouble = {TroubleKind::Failed,
                   m_listener.firstFault().isEmpty() ? tr("The run failed.")
                                                     : m_listener.firstFault(),
                   {}};
    } else if (!trouble) {
        trouble = troubleOf(end);
        if (!trouble && !m_listener.saidHello())
            trouble = {TroubleKind::Garbage, tr("What answers there is not Pipewright."),
                       tr("It ended without a word of the wire.")};
        else if (!trouble)
            trouble = {TroubleKind::Link, tr("The executor ended before its run did."), {}};
        else if (trouble.kind == TroubleKind::Failed && !m_listener.firstFault().isEmpty())
            trouble.what = m_listener.firstFault();
        if (trouble.kind == TroubleKind::Link || trouble.kind == TroubleKind::TimedOut)
            state = RunState::Lost;
    }
    if (!status) {
        if (trouble)
            m_kept.add(RunFault{RankId::none(), RankId::none(), "", trouble.what.toStdString()});
        m_kept.finish(state == RunState::Stopped  ? RunStatus::Stopped
                      : state == RunState::Failed ? RunStatus::Failed
                                                  : RunStatus::Incomplete,
                      {});
    }
    m_kept.close();
    if (trouble)
        m_news.say(RunLine::Kind::Fault, trouble.what);
    publish();
    m_publishing->stop();
    m_news.change([&](RunNews& news) {
        news.state = state;
        news.trouble = trouble;
    });
    publish();
}

} // namespace pw::ui
