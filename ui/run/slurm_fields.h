// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/slurm_job.h"
#include "ui/run/connection.h"

#include <QWidget>

#include <map>
#include <optional>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace pw::ui {

/// The job that a connection sends to Slurm; none where its command line sends none.
/// @error BadValue  as of `slurmJobOf`, for a command line that has "submit" in it
Result<std::optional<SlurmJob>> jobOfConnection(const QString& command);

/// A connection that sends runs to Slurm from this computer, whose own connection is `local`.
Connection slurmConnection(const Connection& local);

/// What a connection asks of Slurm as fields, with the batch script that they become.
class SlurmFields : public QWidget
{
    Q_OBJECT

public:
    explicit SlurmFields(QWidget* parent = nullptr);

    /// Shows the job of a command line. @return false where it sends none, and nothing is shown
    bool showJob(const QString& command);

Q_SIGNALS:
    /// A field was changed: the command line that says so.
    void edited(const QString& command);

private:
    void take();
    void showScript(const SlurmJob& job);

    QString m_command;
    bool m_filling = false;
    std::map<QString, QLineEdit*> m_fields; ///< by option
    QLabel* m_refusal;
    QPlainTextEdit* m_script;
};

} // namespace pw::ui
