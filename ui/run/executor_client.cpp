// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/executor_client.h"

#include <QCoreApplication>

#include <utility>

namespace pw::ui {

QString name(RunState state)
{
    switch (state) {
    case RunState::Idle:
        return QCoreApplication::translate("RunState", "not started");
    case RunState::Starting:
        return QCoreApplication::translate("RunState", "starting");
    case RunState::Running:
        return QCoreApplication::translate("RunState", "running");
    case RunState::Finished:
        return QCoreApplication::translate("RunState", "finished");
    case RunState::Stopped:
        return QCoreApplication::translate("RunState", "stopped");
    case RunState::Failed:
        return QCoreApplication::translate("RunState", "failed");
    case RunState::Lost:
        return QCoreApplication::translate("RunState", "lost");
    }
    return {};
}

ExecutorClient::ExecutorClient(const ExecutorLimits& limits, QObject* parent)
    : QObject(parent)
    , m_limits(limits)
{
    constexpr int parts = 8; // the silence is noticed this exactly
    m_listening.setInterval(std::clamp(limits.quiet / parts, 1, 1000));
    connect(&m_listening, &QTimer::timeout, this, &ExecutorClient::listen);
}

ExecutorClient::~ExecutorClient()
{
    leave();
}

void ExecutorClient::leave()
{
    m_listening.stop();
    if (m_worker == nullptr)
        return;
    m_worker->disconnect(this);
    m_worker->hurry();
    if (underWay(m_state))
        QMetaObject::invokeMethod(m_worker, &ExecutorWorker::abandon, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
    m_worker = nullptr; // deleted with the end of its thread
}

void ExecutorClient::start(const RunRequest& request)
{
    leave();
    m_state = RunState::Starting;
    m_stopAsked = false;
    m_outline.reset();
    m_trouble = {};
    m_queue.clear();
    m_figures.reset();
    m_iteration = 0;
    m_passes = 0;
    m_broken = 0;
    m_losses.clear();
    m_lanes = {};
    m_stored = 0;
    m_silence = 0;
    m_patience = m_limits.quiet;
    m_worker = new ExecutorWorker(m_limits);
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &ExecutorWorker::newsCame, this, &ExecutorClient::takeNews);
    m_thread.start();
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request] { worker->start(request); }, Qt::QueuedConnection);
    m_listening.start();
    Q_EMIT changed();
    Q_EMIT lossesChanged();
    Q_EMIT lanesChanged();
}

void ExecutorClient::stop()
{
    if (!underWay(m_state))
        return;
    m_stopAsked = true;
    QMetaObject::invokeMethod(m_worker, &ExecutorWorker::stop, Qt::QueuedConnection);
    Q_EMIT changed();
}

void ExecutorClient::waitOn()
{
    m_patience = 2 * m_worker->silence();
    m_silence = 0;
    Q_EMIT changed();
}

void ExecutorClient::listen()
{
    const qint64 silence = m_worker->silence();
    if (silence < m_limits.quiet)
        m_patience = m_limits.quiet;
    const qint64 told = silence >= m_patience ? silence : 0;
    if (told == m_silence)
        return;
    m_silence = told;
    Q_EMIT changed();
}

void ExecutorClient::takeNews()
{
    // A word of the run before this one.
    if (sender() != nullptr && sender() != m_worker)
        return;
    RunNews news = m_worker->take();
    const bool over = underWay(m_state) && !underWay(news.state);
    m_state = news.state;
    m_trouble = news.trouble;
    m_iteration = news.iteration;
    m_passes = news.passes;
    m_broken = news.broken;
    m_stored = news.stored;
    for (const RunLine& line : news.lines) {
        if (line.kind == RunLine::Kind::Output && line.text.startsWith(QLatin1String("Slurm: ")))
            m_queue = line.text;
    }
    if (news.outline)
        m_outline = std::move(news.outline);
    if (news.figures)
        m_figures = news.figures;
    if (over) {
        m_listening.stop();
        m_silence = 0;
    }
    if (!news.lines.empty())
        Q_EMIT logged(news.lines, news.linesLeftOut);
    if (!news.losses.empty()) {
        m_losses.insert(m_losses.end(), news.losses.begin(), news.losses.end());
        thinLosses();
        Q_EMIT lossesChanged();
    }
    if (news.lanes) {
        m_lanes = std::move(*news.lanes);
        Q_EMIT lanesChanged();
    }
    Q_EMIT changed();
    if (over)
        Q_EMIT ended();
}

/// Every other one, the last among them: the curve is drawn anew as a whole whenever it grows.
void ExecutorClient::thinLosses()
{
    while (m_losses.size() > mostLosses) {
        const std::size_t odd = m_losses.size() % 2;
        for (std::size_t i = 1 - odd; i < m_losses.size(); i += 2)
            m_losses[i / 2] = m_losses[i];
        m_losses.resize((m_losses.size() + odd) / 2);
    }
}

} // namespace pw::ui
