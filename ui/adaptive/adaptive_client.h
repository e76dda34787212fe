// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/adaptive/adaptive_lines.h"
#include "ui/run/trouble.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>

class QProcess;

namespace pw::ui {

/// Runs `pipewright run kfkb --adapt --wire` behind a connection and hears what it says, line by
/// line and without ever blocking.
class AdaptiveClient : public QObject
{
    Q_OBJECT

public:
    explicit AdaptiveClient(QObject* parent = nullptr);
    ~AdaptiveClient() override;

    /// @param words  program and arguments
    /// @pre nothing runs
    void start(const QStringList& words);
    bool running() const { return m_process != nullptr; }
    /// Closes its standard input, and ends it where it does not end by itself.
    void stop();

Q_SIGNALS:
    void heard(const pw::ui::AdaptiveLine& line);
    /// It is over. @param trouble  none: it came to its end, or was stopped
    void ended(const pw::ui::Trouble& trouble);

private:
    void read();
    void finish();

    QProcess* m_process = nullptr;
    ProcessEnd m_end;
    QByteArray m_rest; ///< of a line that is not whole yet
    QByteArray m_errors;
    QString m_garbage; ///< the first line that was none of ours
    bool m_stopAsked = false;
    bool m_anything = false;
};

} // namespace pw::ui
