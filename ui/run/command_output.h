// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/run/trouble.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>

class QProcess;

namespace pw::ui {

/// Runs a program for its output, within limits and without ever blocking.
class CommandOutput : public QObject
{
    Q_OBJECT

public:
    struct Limits
    {
        int milliseconds = 0; ///< 0: as long as it takes
        qint64 bytes = 4 << 20;
    };

    explicit CommandOutput(QObject* parent = nullptr);
    ~CommandOutput() override;

    /// Starts a program; one that still runs is ended first, and nothing is heard of it.
    /// @param input  written to its standard input, which then stays open
    void start(const QStringList& words, const QByteArray& input, const Limits& limits);
    bool running() const { return m_process != nullptr; }
    /// Closes its standard input, and ends it where it does not end by itself.
    void stop();
    /// Ends it at once; nothing is heard of it.
    void drop() { leave(); }
    /// What it has written to standard error so far, the end of it.
    const QString& errors() const { return m_end.errors; }

Q_SIGNALS:
    void ended(const pw::ui::ProcessEnd& end, const QByteArray& output);

private:
    void read();
    void finish();
    void leave();

    QProcess* m_process = nullptr;
    QTimer m_timer;
    Limits m_limits;
    ProcessEnd m_end;
    QByteArray m_output;
    QByteArray m_errors; ///< the last of them
};

} // namespace pw::ui
