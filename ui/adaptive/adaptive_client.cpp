// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/adaptive/adaptive_client.h"

#include "ui/text.h"

#include <QProcess>
#include <QTimer>

#include <utility>

namespace pw::ui {

namespace {

constexpr qsizetype keptErrors = 16'384;
constexpr int stopGrace = 3000; ///< ms
constexpr qsizetype shownGarbage = 200;

} // namespace

AdaptiveClient::AdaptiveClient(QObject* parent)
    : QObject(parent)
{
}

AdaptiveClient::~AdaptiveClient()
{
    if (m_process == nullptr)
        return;
    QProcess* process = std::exchange(m_process, nullptr);
    process->disconnect(this);
    process->closeWriteChannel();
    process->kill();
    constexpr int promptly = 500; // a killed program ends at once
    if (process->state() != QProcess::NotRunning)
        process->waitForFinished(promptly);
    if (process->state() == QProcess::NotRunning)
        delete process;
    else
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
}

void AdaptiveClient::start(const QStringList& words)
{
    m_end = {};
    m_end.words = words;
    m_rest.clear();
    m_errors.clear();
    m_garbage.clear();
    m_stopAsked = m_anything = false;
    m_process = new QProcess;
    connect(m_process, &QProcess::readyReadStandardOutput, this, &AdaptiveClient::read);
    connect(m_process, &QProcess::readyReadStandardError, this, &AdaptiveClient::read);
    connect(m_process, &QProcess::finished, this, &AdaptiveClient::finish);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_end.started = false;
        m_end.errors = m_process->errorString();
        finish();
    });
    m_process->setProgram(words.front());
    m_process->setArguments(words.mid(1));
    m_process->start();
}

void AdaptiveClient::stop()
{
    if (m_process == nullptr || m_stopAsked)
        return;
    m_stopAsked = true;
    m_process->closeWriteChannel();
    QTimer::singleShot(stopGrace, m_process, [process = m_process] { process->kill(); });
}

void AdaptiveClient::read()
{
    m_errors += m_process->readAllStandardError();
    if (m_errors.size() > keptErrors)
        m_errors.remove(0, m_errors.size() - keptErrors);
    m_rest += m_process->readAllStandardOutput();
    for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n')) {
        const QByteArray line = m_rest.left(end).trimmed();
        m_rest.remove(0, end + 1);
        if (line.isEmpty())
            continue;
        const Result<AdaptiveLine> heardLine = readAdaptiveLine(
            std::string_view(line.constData(), static_cast<std::size_t>(line.size())));
        if (heardLine) {
            m_anything = true;
            Q_EMIT heard(*heardLine);
        } else if (m_garbage.isEmpty()) {
            // A login shell may greet first; what else it is will be said at the end.
            m_garbage = QString::fromUtf8(line.left(shownGarbage)).simplified();
        }
        if (m_process == nullptr)
            return;
    }
    if (m_rest.size() > longestAdaptiveLine) {
        m_rest.clear();
        m_end.tooMuch = true;
        m_process->kill();
    }
}

void AdaptiveClient::finish()
{
    if (m_end.started) {
        read();
        m_end.errors = QString::fromUtf8(m_errors);
        m_end.crashed = m_process->exitStatus() == QProcess::CrashExit;
        m_end.code = m_process->exitCode();
    }
    m_process->disconnect(this);
    m_process->deleteLater();
    m_process = nullptr;
    Trouble trouble;
    if (!m_stopAsked) {
        trouble = troubleOf(m_end);
        if (!trouble && !m_anything)
            trouble = {TroubleKind::Garbage, tr("What answers there is not Pipewright."),
                       tr("It wrote: %1").arg(m_garbage)};
    }
    Q_EMIT ended(trouble);
}

} // namespace pw::ui
