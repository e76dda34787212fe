// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/command_output.h"

#include <QProcess>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr qsizetype keptOutput = 16'384;
constexpr int grace = 2000;

} // namespace

CommandOutput::CommandOutput(QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_end.timedOut = true;
        m_process->kill();
    });
}

CommandOutput::~CommandOutput()
{
    leave();
}

/// Ends the program without a word. It is given to the application, which waits for nothing.
void CommandOutput::leave()
{
    m_timer.stop();
    if (m_process == nullptr)
        return;
    QProcess* process = std::exchange(m_process, nullptr);
    process->disconnect(this);
    process->kill();
    constexpr int promptly = 500; // a killed program ends at once
    if (process->state() != QProcess::NotRunning)
        process->waitForFinished(promptly); // says no also of one that could not be started
    if (process->state() == QProcess::NotRunning)
        delete process;
    else
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
}

void CommandOutput::start(const QStringList& words, const QByteArray& input, const Limits& limits)
{
    leave();
    m_limits = limits;
    m_end = {};
    m_end.words = words;
    m_output.clear();
    m_errors.clear();
    m_process = new QProcess;
    connect(m_process, &QProcess::readyReadStandardOutput, this, &CommandOutput::read);
    connect(m_process, &QProcess::readyReadStandardError, this, &CommandOutput::read);
    connect(m_process, &QProcess::finished, this, &CommandOutput::finish);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_end.started = false;
        m_end.errors = m_process->errorString();
        finish();
    });
    if (limits.milliseconds > 0)
        m_timer.start(limits.milliseconds);
    m_process->setProgram(words.front());
    m_process->setArguments(words.mid(1));
    m_process->start();
    // It may have failed already.
    if (m_process != nullptr && !input.isEmpty())
        m_process->write(input);
}

void CommandOutput::read()
{
    m_output += m_process->readAllStandardOutput();
    m_errors += m_process->readAllStandardError();
    if (m_errors.size() > keptOutput)
        m_errors.remove(0, m_errors.size() - keptOutput);
    if (m_output.size() > m_limits.bytes && !m_end.tooMuch) {
        m_end.tooMuch = true;
        m_process->kill();
    }
    if (m_end.tooMuch)
        m_output.clear();
}

void CommandOutput::stop()
{
    if (m_process == nullptr)
        return;
    m_process->closeWriteChannel();
    QTimer::singleShot(grace, m_process, [process = m_process] { process->kill(); });
}

void CommandOutput::finish()
{
    m_timer.stop();
    if (m_end.started) {
        read();
        // Decoded whole: a character may have come in two pieces. Its first bytes may be cut off.
        qsizetype first = 0;
        while (first < std::min<qsizetype>(3, m_errors.size()) &&
               (static_cast<uchar>(m_errors[first]) & 0xC0U) == 0x80U)
            ++first;
        m_end.errors = QString::fromUtf8(m_errors.mid(first));
        m_end.crashed = m_process->exitStatus() == QProcess::CrashExit;
        m_end.code = m_process->exitCode();
        // The time was over, and so was the program, of which the window heard later.
        m_end.timedOut = m_end.timedOut && m_end.crashed;
    }
    m_process->disconnect(this);
    m_process->deleteLater();
    m_process = nullptr;
    Q_EMIT ended(m_end, m_output);
}

} // namespace pw::ui
