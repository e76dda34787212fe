// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/costs_file.h"
#include "ui/document/schedule_document.h"
#include "ui/run/command_output.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

namespace pw::ui {

/// Measures at an executor what the passes of a schedule take, and gives the schedule these costs.
class Calibration : public QObject
{
    Q_OBJECT

public:
    explicit Calibration(QObject* parent = nullptr);

    /// @param words      the command line of the connection
    /// @param arguments  which backend, and the size of the model
    void start(ScheduleDocument& document, const QStringList& words, const QStringList& arguments);
    /// Ends it; nothing is changed.
    void stop();

Q_SIGNALS:
    /// It is over, however it went; what follows is said of it afterwards.
    void ended();
    /// The schedule has the measured costs.
    void taken();
    void told(const QString& sentence);
    void refused(const QString& sentence);
    /// The program at the executor has failed, beside what `refused` says.
    void failed(const QStringList& said, const QString& why);

private:
    void send(const Result<std::string>& project, const QStringList& words);
    void finish(const ProcessEnd& end, const QByteArray& output);
    Result<void> take(const CostsFile& file);

    CommandOutput m_command;
    QPointer<ScheduleDocument> m_document;
    bool m_stopAsked = false;
};

} // namespace pw::ui
