// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/run/command_output.h"
#include "ui/run/connection.h"

#include <QByteArray>
#include <QObject>

#include <vector>

namespace pw::ui {

/// A backend of an executor.
struct FoundBackend
{
    QString name;
    bool available = false;
    QString summary;
    QString missing; ///< of one that is not available: what is, and what would bring it
    std::vector<std::pair<QString, qint64>> devices; ///< names and bytes; 0: not known
    QStringList notes;
};

/// What an executor says about itself.
struct Findings
{
    QString program; ///< version of Pipewright
    int protocol = 0;
    /// It takes orders alone, as the executor for PyTorch does: a project goes there with its order
    /// in the place of the family that makes it.
    bool ordersOnly = false;
    std::vector<FoundBackend> backends;

    /// Null: it has no such backend.
    const FoundBackend* backend(const QString& name) const;
};

/// Reads what `backends --json` writes; what a shell says before it is left aside.
/// @error Syntax  it is something else
Result<Findings> readFindings(const QByteArray& output);

/// What came out of a test.
struct ConnectionReport
{
    Trouble trouble; ///< none: runs can be sent
    Findings findings;
    QString output; ///< of a failure: what the program said, in lines

    bool good() const { return !trouble; }
    /// Everything in lines for people.
    QString text() const;
};

/// Asks an executor for its version, backends and devices.
class ConnectionTest : public QObject
{
    Q_OBJECT

public:
    static constexpr int patience = 20'000;

    explicit ConnectionTest(QObject* parent = nullptr);

    /// Asks; a question that is still open is dropped.
    /// @param milliseconds  after which there is no answer
    void start(const Connection& connection, int milliseconds = patience);
    bool running() const { return m_command.running(); }
    void cancel();
    /// Leaves a question that is still open; nothing is said of it any more.
    void drop();
    const Connection& connection() const { return m_connection; }

Q_SIGNALS:
    void ended(const pw::ui::ConnectionReport& report);

private:
    Connection m_connection;
    CommandOutput m_command;
};

} // namespace pw::ui
